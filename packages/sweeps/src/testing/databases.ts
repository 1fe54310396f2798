/** One server for the tests of a file, with an empty database whenever one is asked for. */
import { startPostgres } from '@flowgrad/postgres-tool';
import type { PostgresServer } from '@flowgrad/postgres-tool';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';

interface Databases {
  readonly server: PostgresServer;
  /** The address of a new database. */
  create(): Promise<string>;
  /** Statements by the owner. */
  run(url: string, ...statements: readonly string[]): Promise<void>;
}

export function testDatabases(): () => Databases {
  let server: PostgresServer;
  let count = 0;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());
  const run = async (url: string, ...statements: readonly string[]): Promise<void> => {
    const client = new pg.Client(url);
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };
  const create = (): Promise<string> => server.createDatabase(`store${++count}`);
  return () => ({ server, create, run });
}
