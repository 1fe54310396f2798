/** The playground's server under few file descriptors: aborted downloads, slow readers, a thousand connections. */
import { spawn } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { program, workspace } from '../flowgrad.ts';
import { randomFrom } from '../random.ts';
import { demand } from '../torture.ts';
import type { Case, Part } from '../torture.ts';

const counts = {
  full: { batches: 25, aborts: 100, slow: 200, connections: 1000 },
  sample: { batches: 4, aborts: 100, slow: 50, connections: 200 },
};
const descriptors = 256;
const patience = 20_000;

interface Server {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

export const downloads: Part = {
  name: 'downloads',
  about: `aborted and slow downloads and many connections, with ${descriptors} file descriptors`,
  cases: async ({ seed, size }) => {
    const { batches, aborts, slow, connections } = counts[size];
    const largest = await largestFile(join(workspace, 'packages/playground/dist/page'));
    const withServer =
      (use: (server: Server) => Promise<void>, limit = descriptors): Case['run'] =>
      async () => {
        const server = await startServer(limit);
        try {
          await use(server);
          await demandAnswer(server.port, largest);
        } finally {
          await server.stop();
        }
      };
    return [
      {
        name: `${batches * aborts} aborted downloads`,
        count: batches * aborts,
        run: withServer(async (server) => {
          const random = randomFrom(seed, 'downloads');
          for (let i = 0; i < batches; i++) {
            const begun = Array.from({ length: aborts / 2 }, () =>
              abortAfter(server.port, largest, random.below(40)),
            );
            await Promise.all(begun);
            await Promise.all(begun.map(() => abortAfter(server.port, largest, random.below(4))));
            await demandAnswer(server.port, largest);
          }
          const open = (await readdir(`/proc/${server.pid}/fd`)).length;
          demand(open < 60, `${open} descriptors are open after ${batches * aborts} aborts`);
        }),
      },
      {
        name: `${slow} slow readers`,
        count: slow,
        run: withServer(async (server) => {
          // Each takes the head of its answer and then nothing: half of the descriptors would be files.
          const sockets = await Promise.all(
            Array.from({ length: slow / 2 }, () => slowReader(server.port, largest)),
          );
          await demandAnswer(server.port, largest);
          for (const socket of sockets) socket.destroy();
          await demandAnswer(server.port, largest);
        }),
      },
      {
        name: `${connections} connections at once`,
        count: connections,
        run: withServer(async ({ port }) => {
          const sockets = await Promise.all(Array.from({ length: connections }, () => opened(port)));
          await demandAnswer(port, largest);
          for (const socket of sockets) socket.destroy();
        }, 4096),
      },
      {
        name: `${connections} connections, more than there are descriptors`,
        count: connections,
        run: withServer(async ({ port }) => {
          const sockets = await Promise.all(Array.from({ length: connections }, () => opened(port)));
          await wait(500);
          for (const socket of sockets) socket.destroy();
        }),
      },
      {
        name: 'other host names',
        count: 3,
        run: withServer(async ({ port }) => {
          for (const host of ['example.org', `example.org:${port}`, '127.0.0.1.example.org']) {
            const status = await statusOf(port, '/', host);
            demand(status >= 400 && status < 500, `a page of ${host} is given the answer ${status}`);
          }
          for (const host of [`127.0.0.1:${port}`, `localhost:${port}`]) {
            demand((await statusOf(port, '/', host)) === 200, `${host} is not answered`);
          }
        }),
      },
    ];
  },
};

interface ServedFile {
  readonly path: string;
  readonly url: string;
}

async function largestFile(page: string): Promise<ServedFile> {
  const entries = await readdir(page, { recursive: true });
  const files = await Promise.all(
    entries.map(async (name) => ({ name, size: (await stat(join(page, name))).size })),
  );
  const { name } = files.reduce((a, b) => (b.size > a.size ? b : a));
  return { path: join(page, name), url: `/${name}` };
}

async function startServer(limit: number): Promise<Server> {
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

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
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

/** Begins a download, takes some pieces of it, and goes away. */
function abortAfter(port: number, { url }: ServedFile, pieces: number): Promise<void> {
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
async function demandAnswer(port: number, { path, url }: ServedFile): Promise<void> {
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

function opened(port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', () => resolve(socket));
  });
}

async function slowReader(port: number, { url }: ServedFile): Promise<Socket> {
  const socket = await opened(port);
  socket.write(`GET ${url} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  await new Promise<void>((resolve) => {
    socket.once('readable', () => resolve());
    socket.once('close', () => resolve());
  });
  return socket;
}

function statusOf(port: number, path: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, headers: { host }, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.on('error', reject).end();
  });
}
