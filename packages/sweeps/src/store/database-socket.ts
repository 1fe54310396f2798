/** A database that one process has open, for others: their statements come through a socket. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';
import { codeOf } from './database.ts';
import type { Database, Queries, Row } from './database.ts';

type Asked =
  | { readonly kind: 'query'; readonly text: string; readonly values: readonly unknown[] | undefined }
  | { readonly kind: 'begin' | 'commit' | 'rollback' };

type Told =
  { readonly rows: readonly object[] } | { readonly message: string; readonly code: string | undefined };

/** Seconds after which the other side counts as gone: of a transaction under way, which keeps all others waiting, and of an answer. */
const patience = { transaction: 60, answer: 120 };

/** Serves a database at a path until what it gives back is called. A transaction whose process is gone is undone. */
export async function serveDatabase(
  database: Database,
  path: string,
  silence: number = patience.transaction,
): Promise<() => Promise<void>> {
  const served = new Map<Socket, Promise<void>>();
  const server = createServer((socket) => {
    const whole = serve(database, socket, silence).finally(() => {
      socket.destroy();
      served.delete(socket);
    });
    served.set(socket, whole);
  });
  server.listen(path);
  await once(server, 'listening');
  return async () => {
    server.close();
    for (const socket of served.keys()) socket.destroy();
    await Promise.all(served.values());
  };
}

async function serve(database: Database, socket: Socket, silence: number): Promise<void> {
  const asked = messagesOf<Asked>(socket);
  const next = async (): Promise<Asked | undefined> => (await asked.next()).value as Asked | undefined;
  const answer = async (work: () => Promise<readonly object[]>): Promise<void> => {
    const told = await work().then(
      (rows): Told => ({ rows }),
      (error: Error): Told => ({ message: error.message, code: codeOf(error) }),
    );
    send(socket, told);
  };
  const transaction = async (queries: Queries): Promise<void> => {
    send(socket, { rows: [] });
    for (;;) {
      const message = await next();
      if (message?.kind === 'commit') return;
      if (message?.kind !== 'query') throw new UndoneError();
      await answer(() => queries.query(message.text, message.values));
    }
  };
  for (let message = await next(); message; message = await next()) {
    const now = message;
    if (now.kind === 'query') await answer(() => database.query(now.text, now.values));
    else if (now.kind === 'begin') {
      socket.setTimeout(1000 * silence);
      await answer(async () => {
        await database.transaction(transaction).catch((error: unknown) => {
          if (!(error instanceof UndoneError)) throw error;
        });
        return [];
      });
      socket.setTimeout(0);
    } else await answer(async () => []);
  }
}

/** Ends a transaction that is not to be kept. */
class UndoneError extends Error {}

/** The database that is served at a path. `onLost` is called when it is served no more. */
export async function connectDatabase(path: string, onLost: () => void): Promise<Database> {
  const socket = connect(path);
  await once(socket, 'connect');
  socket.once('close', onLost);
  const answers = messagesOf<Told>(socket);
  const inTurn = takingTurns();
  const ask = async <R extends object = Row>(asked: Asked): Promise<R[]> => {
    socket.setTimeout(1000 * patience.answer);
    send(socket, asked);
    const told = (await answers.next()).value as Told | undefined;
    socket.setTimeout(0);
    if (!told) {
      const message = 'store: expected an answer of the process that has it open, got none';
      throw Object.assign(new Error(message), { code: 'ECONNRESET' });
    }
    if ('rows' in told) return told.rows as R[];
    throw Object.assign(new Error(told.message), told.code !== undefined && { code: told.code });
  };
  const query: Queries['query'] = (text, values) => ask({ kind: 'query', text, values });
  return {
    query: (text, values) => inTurn(() => query(text, values)) as Promise<never>,
    transaction: (work) =>
      inTurn(async () => {
        await ask({ kind: 'begin' });
        try {
          const result = await work({ query });
          await ask({ kind: 'commit' });
          return result;
        } catch (error) {
          await ask({ kind: 'rollback' }).catch(() => undefined);
          throw error;
        }
      }),
    close: async () => void socket.destroy(),
  };
}

/** One after the other, in the order in which they were asked for. */
export function takingTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}

const lengthBytes = 4;

function send(socket: Socket, message: Asked | Told): void {
  const content = serialize(message);
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(content.length);
  socket.write(Buffer.concat([length, content]));
}

/** What the other side sends, until it is gone or says nothing for longer than the socket's time limit. */
async function* messagesOf<T>(socket: Socket): AsyncGenerator<T> {
  socket.on('timeout', () => socket.destroy());
  socket.on('error', () => undefined);
  let rest = Buffer.alloc(0);
  const end = (): number => (rest.length < lengthBytes ? Infinity : lengthBytes + rest.readUInt32LE());
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      for (rest = Buffer.concat([rest, chunk]); end() <= rest.length; rest = rest.subarray(end())) {
        yield deserialize(rest.subarray(lengthBytes, end())) as T;
      }
    }
  } catch {
    // A socket that was cut ends like one that was closed.
  }
}
