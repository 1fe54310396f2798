export { startPostgres } from './postgres-server.ts';
export type { PostgresServer } from './postgres-server.ts';
