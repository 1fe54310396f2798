/** PostgreSQL in a folder. The process that opens it first has it within itself and serves it to others, until it ends and another has it. */
import { mkdir, mkdtemp, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { PGlite, Transaction } from '@electric-sql/pglite';
import { claimFolder } from '@flowgrad/evaluation/node';
import { connectDatabase, serveDatabase, takingTurns } from './database-socket.ts';
import type { Database, Queries } from './database.ts';

/** Whether a folder holds an embedded store. */
export async function isEmbeddedStore(folder: string): Promise<boolean> {
  const found = await stat(join(folder, 'data', 'PG_VERSION')).catch(() => undefined);
  return found?.isFile() ?? false;
}

/** Opens the store of a folder, which is made if need be; here, or through the process that has it open. */
export async function openEmbedded(folder: string, name: string): Promise<Database> {
  let reached: Promise<Database> | undefined;
  let isClosed = false;
  const database = (): Promise<Database> => {
    if (isClosed) return Promise.reject(new Error(`store: expected ${name} to be open, got it closed`));
    if (reached) return reached;
    const mine = reach(folder, name, () => forget(mine));
    mine.catch(() => forget(mine));
    return (reached = mine);
  };
  const forget = (gone: Promise<Database>): void => {
    if (reached === gone) reached = undefined;
  };
  await database();
  return {
    query: async (text, values) => (await database()).query(text, values),
    transaction: async (work) => (await database()).transaction(work),
    close: async () => {
      isClosed = true;
      await (await reached)?.close();
    },
  };
}

/** Seconds in which a process that has the folder is to answer: it may be making the store, or closing it. */
const patience = 300;

async function reach(folder: string, name: string, onLost: () => void): Promise<Database> {
  for (const since = performance.now(); ; await wait(100)) {
    const served = await readFile(join(folder, 'address'), 'utf8').catch(() => undefined);
    const connected = served && (await connectDatabase(served, onLost).catch(() => undefined));
    if (connected) return connected;
    try {
      return await openHere(folder);
    } catch (error) {
      const [, owner, host] =
        /locked by (process \d+ on (\S+))/.exec((error as Error).message) ?? ([] as undefined[]);
      if (owner === undefined) throw error;
      if (host === hostname() && performance.now() - since < 1000 * patience) continue;
      const message = `store: expected ${name} to be open here or in a process that answers, got ${owner} (wait for it to end, or use a server)`;
      throw Object.assign(new Error(message), host === hostname() && { code: 'ECONNREFUSED' });
    }
  }
}

async function openHere(folder: string): Promise<Database> {
  const lock = await claimFolder(join(folder, 'lock'));
  let lite: PGlite | undefined;
  try {
    const data = join(folder, 'data');
    if (!(await isEmbeddedStore(folder))) await makeData(folder, data);
    lite = await openLite(data);
    const database = databaseOf(lite);
    const address = await freeAddress(folder);
    const endServing = await serveDatabase(database, address);
    await writeFile(join(folder, 'address'), address);
    const close = async (): Promise<void> => {
      await endServing();
      // Nothing but a folder that was made for the socket is empty now.
      await rmdir(dirname(address)).catch(() => undefined);
      await database.close().finally(lock.release);
    };
    return { ...database, close };
  } catch (error) {
    await lite?.close();
    await lock.release();
    throw error;
  }
}

/** All of it or nothing: what was being made when there was no more room, or a kill, is made anew. */
async function makeData(folder: string, data: string): Promise<void> {
  const unfinished = join(folder, 'data-unfinished');
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished);
  await (await openLite(unfinished)).close();
  await rename(unfinished, data);
}

async function openLite(data: string): Promise<PGlite> {
  // Loaded when it is needed: it is 25 MB, and a server has no use for it.
  const { PGlite } = await import('@electric-sql/pglite');
  // A queue and its runs are small: 128 MB of buffers, which it would take, are not needed.
  const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=8MB'];
  return PGlite.create(data, { startParams }).catch((error: unknown) => {
    // What it throws is not always an error, and says little.
    const got = error instanceof Error ? error.message : JSON.stringify(error);
    throw new Error(
      `store: expected the database in ${data} to open, got ${got} (make room on the disk; or if it is damaged, remove it: runs of ` +
        'experiments are in folders of their own)',
    );
  });
}

/** A name for a socket: in the folder, where names of its length are possible, which they are up to a hundred bytes. */
async function freeAddress(folder: string): Promise<string> {
  const beside = join(folder, 'socket');
  await rm(beside, { force: true });
  if (process.platform === 'win32') return `\\\\.\\pipe\\flowgrad-${process.pid}-${performance.now()}`;
  if (Buffer.byteLength(beside) <= 100) return beside;
  return join(await mkdtemp(join(tmpdir(), 'flowgrad-store-')), 'socket');
}

function databaseOf(lite: PGlite): Database {
  const { query } = queriesOf(lite);
  // There is one connection: nothing may come between what fails in the middle of a transaction and the end of that.
  const inTurn = takingTurns();
  return {
    query: (text, values) =>
      inTurn(() =>
        query(text, values).catch(async (error: unknown) => {
          await lite.exec('rollback').catch(() => undefined);
          throw error;
        }),
      ) as Promise<never>,
    transaction: (work) => inTurn(() => lite.transaction((tx) => work(queriesOf(tx)))),
    close: () => inTurn(() => lite.close()),
  };
}

const queriesOf = (lite: PGlite | Transaction): Queries => ({
  query: async <R extends object>(text: string, values: readonly unknown[] = []) => {
    if (values.length > 0) return (await lite.query<R>(text, [...values])).rows;
    // Without values a text may be several statements, and has the rows of all of them.
    return (await lite.exec(text)).flatMap(({ rows }) => rows as unknown as R[]);
  },
});
