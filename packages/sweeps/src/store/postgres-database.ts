/** A PostgreSQL server. */
import type { Pool, PoolClient, QueryResult } from 'pg';
import { again } from './database.ts';
import type { Database, Queries } from './database.ts';

/** Seconds after which a server that does not answer counts as out of reach. */
const patience = 20;

/** A few connections that are made when they are needed, and anew when they were lost. TLS is what the address says. */
export async function openPostgres(url: string): Promise<Database> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    max: 4,
    application_name: 'flowgrad sweep',
    connectionTimeoutMillis: 1000 * patience,
    query_timeout: 6 * 1000 * patience,
    keepAlive: true,
  });
  // Of an idle connection that was cut: the next statement makes another.
  pool.on('error', () => undefined);
  const queriesOf = (client: PoolClient | Pool): Queries => ({
    query: async <R extends object>(text: string, values?: readonly unknown[]) => {
      const result = await client.query<R>(text, values as unknown[]);
      // Several statements in one text have a result each.
      return Array.isArray(result) ? (result as QueryResult<R>[]).flatMap(({ rows }) => rows) : result.rows;
    },
  });
  return {
    ...queriesOf(pool),
    transaction: (work) =>
      again(async () => {
        const client = await pool.connect();
        // A connection that is cut in the middle says so twice: to the statement under way, and here.
        const lost = (): void => undefined;
        client.on('error', lost);
        let broken: Error | undefined;
        try {
          await client.query('begin');
          const result = await work(queriesOf(client));
          await client.query('commit');
          return result;
        } catch (error) {
          await client.query('rollback').catch((failure: Error) => {
            broken = failure;
          });
          throw error;
        } finally {
          client.off('error', lost);
          client.release(broken);
        }
      }),
    close: () => pool.end(),
  };
}
