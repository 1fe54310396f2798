/** The playground's server as its command starts it, with few file descriptors. */
import { spawn } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { program } from '../flowgrad.ts';

export interface Server {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface ServedFile {
  readonly path: string;
  readonly url: string;
}

export async function largestFile(page: string): Promise<ServedFile> {
  const entries = await readdir(page, { recursive: true });
  const files = await Promise.all(
    entries.map(async (name) => ({ name, size: (await stat(join(page, name))).size })),
  );
  const { name } = files.reduce((a, b) => (b.size > a.size ? b : a));
  return { path: join(page, name), url: `/${name}` };
}

export async function startServer(limit: number): Promise<Server> {
  const script = `ulimit -n ${limit} && exec "$0" "$@"`;
  const port = await freePort();
  const child = spawn('sh', ['-c', script, process.execPath, program, 'playground', '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  await new Promise<void>((ready, failed) => {
    child.stdout.once('data', () => ready());
    child.on('error', failed);
    child.on('close', (code) => failed(new Error(`the server ended with ${code}`)));
  });
  return {
    port,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
