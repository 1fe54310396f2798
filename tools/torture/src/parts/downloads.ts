/** The playground's server under few file descriptors: aborted downloads, slow readers, a thousand connections. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { workspace } from '../flowgrad.ts';
import { randomFrom } from '../random.ts';
import { abortAfter, demandAnswer, opened, slowReader, statusOf } from '../server/clients.ts';
import { largestFile, startServer } from '../server/server.ts';
import type { Server } from '../server/server.ts';
import { demand } from '../torture.ts';
import type { Case, Part } from '../torture.ts';

const counts = {
  full: { batches: 25, aborts: 100, slow: 200, connections: 1000 },
  sample: { batches: 4, aborts: 100, slow: 50, connections: 200 },
};
const descriptors = 256;

/** The server may still be about to see the last ones go, and has no room for another before that. */
async function demandClosed({ pid }: Server, after: string): Promise<void> {
  for (let looks = 1; ; looks++) {
    const open = (await readdir(`/proc/${pid}/fd`)).length;
    if (open < 60) return;
    demand(looks < 600, `${open} descriptors are open after ${after}`);
    await wait(100);
  }
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
          await demandClosed(server, `${batches * aborts} aborts`);
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
        run: withServer(async (server) => {
          const sockets = await Promise.all(Array.from({ length: connections }, () => opened(server.port)));
          await wait(500);
          for (const socket of sockets) socket.destroy();
          await demandClosed(server, `${connections} connections`);
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
