import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { maxPageBytes } from './page-files.ts';
import { servePlayground } from './serve-playground.ts';
import type { PlaygroundServer } from './serve-playground.ts';

let scratch: string;
let server: PlaygroundServer;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'flowgrad-serve-'));
  await mkdir(join(scratch, 'page/assets'), { recursive: true });
  await writeFile(join(scratch, 'secret.txt'), 'secret');
  await writeFile(join(scratch, 'page/index.html'), '<title>page</title>');
  await writeFile(join(scratch, 'page/assets/a.js'), 'export {};');
  await symlink(join(scratch, 'secret.txt'), join(scratch, 'page/link.txt'));
  await symlink(scratch, join(scratch, 'page/up'));
  server = await servePlayground({ folder: join(scratch, 'page') });
});
afterAll(async () => {
  await server.close();
  await rm(scratch, { recursive: true });
});

/** A path as it is: `fetch` would tidy it up. */
const statusOf = (
  path: string,
  method = 'GET',
  headers: Record<string, string> = {},
): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(server.url);
    request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });

it('serves on 127.0.0.1 with the headers that threads need', async () => {
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  const page = await fetch(server.url);
  expect(await page.text()).toBe('<title>page</title>');
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin');
  expect(page.headers.get('cross-origin-embedder-policy')).toBe('require-corp');
  const script = await fetch(`${server.url}assets/a.js?v=1`);
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
});

it.for([
  '/../secret.txt',
  '/%2e%2e/secret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/link.txt',
  '/up/secret.txt',
  '/assets/%2e%2e/%2e%2e/secret.txt',
  '/..%5csecret.txt',
  '/%c0%ae%c0%ae/secret.txt',
  '/%252e%252e/secret.txt',
  '//index.html',
  '/index.html%00.js',
  '/__proto__',
  '/assets',
  '/%00',
  '/%zz',
  '/none',
])('does not serve %s', async (path) => {
  expect(await statusOf(path)).toBe(404);
});

it('does not serve a path that is very long', async () => {
  expect(await statusOf(`/${'a/'.repeat(4000)}`)).toBe(404);
});

it('only gives', async () => {
  expect(await statusOf('/', 'POST')).toBe(405);
  expect(await statusOf('/', 'DELETE')).toBe(405);
  expect(await statusOf('/', 'PROPFIND')).toBe(405);
  expect(await statusOf('/', 'HEAD')).toBe(200);
});

it('answers only to the names of this machine, with its port', async () => {
  const { port } = new URL(server.url);
  const as = (host: string): Promise<number | undefined> => statusOf('/', 'GET', { Host: host });
  for (const name of ['127.0.0.1', 'localhost', 'LocalHost', '[::1]']) {
    expect(await as(`${name}:${port}`)).toBe(200);
  }
  const others = [
    'evil.example',
    `evil.example:${port}`,
    `localhost.evil.example:${port}`,
    `127.0.0.2:${port}`,
  ];
  for (const name of [...others, '127.0.0.1', 'localhost:1', `localhost:${port}0`, `x@localhost:${port}`]) {
    expect(await as(name), name).toBe(421);
  }
});
it.for(['', 'Host: OWN\r\nHost: evil.example\r\n'])(
  'does not guess by which name it is meant: %j',
  async (lines) => {
    const { port, host } = new URL(server.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`GET / HTTP/1.0\r\n${lines.replace('OWN', host)}\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 421 Misdirected Request/);
    socket.destroy();
  },
);

it('says what is wrong with a port or a folder', async () => {
  await expect(servePlayground({ port: -1 })).rejects.toThrow(
    'servePlayground: expected port to be an integer',
  );
  await expect(servePlayground({ idleTimeout: 0 })).rejects.toThrow(
    'servePlayground: expected idleTimeout to be an integer in 1..2147483647, got 0',
  );
  const taken = Number(new URL(server.url).port);
  await expect(servePlayground({ port: taken, folder: join(scratch, 'page') })).rejects.toThrow(
    `servePlayground: expected port ${taken} to be free`,
  );
  await expect(servePlayground({ folder: join(scratch, 'none') })).rejects.toThrow(
    /servePlayground: expected the built page in .*, got no such folder \(build it first\)/,
  );
  const large = join(scratch, 'large');
  await mkdir(large);
  await writeFile(join(large, 'a.bin'), '');
  await truncate(join(large, 'a.bin'), maxPageBytes + 1);
  await expect(servePlayground({ folder: large })).rejects.toThrow(
    'servePlayground: expected a page of at most 67108864 bytes, got more in ',
  );
});
