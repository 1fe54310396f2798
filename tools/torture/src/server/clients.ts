/** Clients that a server would rather not have, and one that is content with an answer. */
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { demand } from '../torture.ts';
import type { ServedFile } from './server.ts';

const patience = 20_000;

/** Begins a download, takes some pieces of it, and goes away. */
export function abortAfter(port: number, { url }: ServedFile, pieces: number): Promise<void> {
  return new Promise((resolve) => {
    let left = pieces;
    const asked = request({ host: '127.0.0.1', port, path: url, agent: false }, (response) => {
      if (left === 0) asked.destroy();
      response.on('data', () => {
        if (--left <= 0) asked.destroy();
      });
    });
    asked.on('error', () => undefined).on('close', resolve);
    asked.setTimeout(patience, () => asked.destroy());
    asked.end();
  });
}

/** A whole download, byte for byte. */
export async function demandAnswer(port: number, { path, url }: ServedFile): Promise<void> {
  const got = await fetch(`http://127.0.0.1:${port}${url}`, {
    signal: AbortSignal.timeout(patience),
    headers: { connection: 'close' },
  }).then(
    async (response) => Buffer.from(await response.arrayBuffer()),
    (error: unknown) => error as Error,
  );
  demand(got instanceof Buffer, () => `no answer any more: ${String(got)}`);
  demand(got.equals(await readFile(path)), 'the answer is not the file');
}

export function opened(port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', () => resolve(socket));
  });
}

export async function slowReader(port: number, { url }: ServedFile): Promise<Socket> {
  const socket = await opened(port);
  socket.write(`GET ${url} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  await new Promise<void>((resolve) => {
    socket.once('readable', () => resolve());
    socket.once('close', () => resolve());
  });
  return socket;
}

export function statusOf(port: number, path: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, headers: { host }, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.on('error', reject).end();
  });
}
