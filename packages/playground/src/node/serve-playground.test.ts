import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
  server = await servePlayground({ folder: join(scratch, 'page') });
});
afterAll(async () => {
  await server.close();
  await rm(scratch, { recursive: true });
});

/** A path as it is: `fetch` would tidy it up. */
const statusOf = (path: string, method = 'GET'): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(server.url);
    request({ host: '127.0.0.1', port, path, method }, (response) => {
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
  '/assets',
  '/%00',
  '/%zz',
  '/none',
])('does not serve %s', async (path) => {
  expect(await statusOf(path)).toBe(404);
});

it('only gives', async () => {
  expect(await statusOf('/', 'POST')).toBe(405);
  expect(await statusOf('/', 'HEAD')).toBe(200);
});

it('says what is wrong with a port or a folder', async () => {
  await expect(servePlayground({ port: -1 })).rejects.toThrow(
    'servePlayground: expected port to be an integer',
  );
  const taken = Number(new URL(server.url).port);
  await expect(servePlayground({ port: taken, folder: join(scratch, 'page') })).rejects.toThrow(
    `servePlayground: expected port ${taken} to be free`,
  );
  await expect(servePlayground({ folder: join(scratch, 'none') })).rejects.toThrow(
    /servePlayground: expected the built page in .*, got no such folder \(build it first\)/,
  );
});
