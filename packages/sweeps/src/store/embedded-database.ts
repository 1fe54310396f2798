/** PostgreSQL in this very process, with its data in a folder that one process at a time has open. */
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PGlite, Transaction } from '@electric-sql/pglite';
import { claimFolder } from '@flowgrad/evaluation/node';
import type { Database, Queries } from './database.ts';

/** Whether a folder holds an embedded store. */
export async function isEmbeddedStore(folder: string): Promise<boolean> {
  const found = await stat(join(folder, 'data', 'PG_VERSION')).catch(() => undefined);
  return found?.isFile() ?? false;
}

/** Opens the store of a folder, which is made if need be. */
export async function openEmbedded(folder: string, name: string): Promise<Database> {
  const lock = await claimFolder(join(folder, 'lock')).catch((error: Error) => {
    const owner = /locked by (process \d+ on \S+)/.exec(error.message)?.[1];
    if (owner === undefined) throw error;
    throw new Error(
      `store: expected ${name} to be open in one process at a time, got ${owner} in it (wait for it to end, or use a server)`,
    );
  });
  try {
    const data = join(folder, 'data');
    await mkdir(data, { recursive: true });
    // Loaded when it is needed: it is 25 MB, and a server has no use for it.
    const { PGlite } = await import('@electric-sql/pglite');
    const lite = await PGlite.create(data);
    const close = async (): Promise<void> => {
      await lite.close().finally(lock.release);
    };
    const { query } = queriesOf(lite);
    return {
      // A text that begins a transaction and fails in it must not leave it open: there is one connection.
      query: (text, values) =>
        query(text, values).catch(async (error: unknown) => {
          await lite.exec('rollback').catch(() => undefined);
          throw error;
        }) as Promise<never>,
      transaction: (work) => lite.transaction((tx) => work(queriesOf(tx))),
      close,
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

const queriesOf = (lite: PGlite | Transaction): Queries => ({
  query: async <R extends object>(text: string, values: readonly unknown[] = []) => {
    if (values.length > 0) return (await lite.query<R>(text, [...values])).rows;
    // Without values a text may be several statements, and has the rows of all of them.
    return (await lite.exec(text)).flatMap(({ rows }) => rows as unknown as R[]);
  },
});
