/** The server in a process of its own with few file descriptors, as it would have them on a full machine. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';

/** More than the buffers between two sockets hold. */
const large = 32 * 2 ** 20;
let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'flowgrad-load-'));
  await mkdir(join(scratch, 'page'));
  await writeFile(join(scratch, 'page/index.html'), '<title>page</title>');
  await writeFile(join(scratch, 'page/large.bin'), new Uint8Array(large));
  await build({
    logLevel: 'silent',
    configFile: false,
    build: {
      ssr: fileURLToPath(new URL('./serve-playground.ts', import.meta.url)),
      outDir: join(scratch, 'server'),
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'serve.mjs' } },
    },
  });
  await writeFile(
    join(scratch, 'server/main.mjs'),
    `import { servePlayground } from './serve.mjs';
     const [folder, idleTimeout] = process.argv.slice(2);
     console.log((await servePlayground({ folder, idleTimeout: Number(idleTimeout) })).url);`,
  );
});
afterAll(() => rm(scratch, { recursive: true }));

let child: ChildProcess | undefined;
afterEach(async () => {
  if (!child || child.exitCode !== null) return;
  child.kill();
  await once(child, 'exit');
});

/** Starts it with so many descriptors; its address. */
async function serve(descriptors: number, idleTimeout = 60_000): Promise<string> {
  const line = `ulimit -n ${descriptors} && exec "$0" "$@"`;
  const program = [process.execPath, join(scratch, 'server/main.mjs')];
  const args = ['-c', line, ...program, join(scratch, 'page'), String(idleTimeout)];
  child = spawn('sh', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = (await once(child.stdout!, 'data')) as [Buffer];
  return url.toString().trim();
}

/** A connection that has asked for a file and got the beginning of the answer, of which it reads no more. */
async function asking(url: string, path: string): Promise<Socket> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await once(socket, 'data');
  socket.pause();
  return socket;
}

const isAnswering = async (url: string): Promise<boolean> =>
  (await (await fetch(url, { signal: AbortSignal.timeout(5000) })).text()) === '<title>page</title>';

it('answers after 400 aborted downloads with 256 descriptors', async () => {
  const url = await serve(256);
  for (let batch = 0; batch < 20; batch++) {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => asking(url, '/large.bin')));
    for (const socket of sockets) socket.resetAndDestroy();
  }
  expect(await isAnswering(url)).toBe(true);
});

it('answers beside readers that take nothing, and closes those in the end', async () => {
  const url = await serve(256, 1500);
  const slow = await Promise.all(Array.from({ length: 20 }, () => asking(url, '/large.bin')));
  expect(await isAnswering(url)).toBe(true);
  const closed = slow.map((socket) => once(socket, 'close'));
  await new Promise((resolve) => setTimeout(resolve, 3000));
  for (const socket of slow) socket.resume();
  await Promise.all(closed);
  // They got what was on its way, and no more.
  expect(slow.filter(({ bytesRead }) => bytesRead >= large)).toEqual([]);
});

it('closes connections that send half a request, or nothing', async () => {
  const url = await serve(256, 500);
  const { hostname, port } = new URL(url);
  const sockets = ['', 'GET / HT', 'GET / HTTP/1.1\r\nHost: '].map((words) => {
    const socket = connect(Number(port), hostname);
    socket.write(words);
    return socket.resume();
  });
  await Promise.all(sockets.map((socket) => once(socket, 'close')));
  expect(await isAnswering(url)).toBe(true);
});

it('serves 1,000 connections at once', async () => {
  const url = await serve(2048);
  const sockets = await Promise.all(Array.from({ length: 1000 }, () => asking(url, '/')));
  expect(sockets.filter((socket) => socket.bytesRead > 0)).toHaveLength(1000);
  expect(await isAnswering(url)).toBe(true);
  for (const socket of sockets) socket.destroy();
});

it('lives through more connections than it has descriptors, and answers when they are gone', async () => {
  const url = await serve(64);
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: 300 }, () =>
    connect(Number(port), hostname).on('error', () => undefined),
  );
  await new Promise((resolve) => setTimeout(resolve, 300));
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => isAnswering(url).catch(() => false), { timeout: 5000 }).toBe(true);
  expect(child!.exitCode).toBe(null);
});
