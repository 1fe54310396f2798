export { cuttableLine } from './cuttable-line.ts';
export type { CuttableLine } from './cuttable-line.ts';
export { startPostgres } from './postgres-server.ts';
export type { PostgresServer } from './postgres-server.ts';
