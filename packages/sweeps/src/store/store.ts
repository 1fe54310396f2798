/** A store of sweeps: opened by its address, it adds, hands out, keeps and tells. */
import type { PgBoss } from 'pg-boss';
import { parseStoreAddress, withoutSecret } from './address.ts';
import type { StoreAddress } from './address.ts';
import { onceReachable } from './database.ts';
import type { Database } from './database.ts';
import { isEmbeddedStore, openEmbedded } from './embedded-database.ts';
import { openPostgres } from './postgres-database.ts';
import { startQueue } from './queue.ts';
import { createTables, expectVersion, storeSettings, storeVersion } from './schema.ts';

/** What a store is opened for. */
export interface OpenStoreOptions {
  /** Make the store if there is none. */
  readonly create?: boolean;
  /**
   * Of a store that is made: after this many seconds of silence an attempt counts as lost. 10 at least; unless given 120, and in a folder,
   * where it is seen at once that a worker is gone, a day.
   */
  readonly heartbeatSeconds?: number;
  /** 'work' looks after what others left, 'change' adds and cancels, 'read' touches nothing. */
  readonly purpose?: 'read' | 'change' | 'work';
  /** How many seconds a server that cannot be reached, or a process that has the folder and does not answer, is waited for; 0 unless given. */
  readonly waitSeconds?: number;
  /** Hears of trouble that passes by itself. */
  readonly onTrouble?: (text: string) => void;
}

/** An open store. */
export interface Store {
  /** Its address without a password. */
  readonly name: string;
  readonly heartbeatSeconds: number;
  /** Where it is, if it is in a folder. */
  readonly folder: string | undefined;
  /** @internal */
  readonly database: Database;
  /** @internal pg-boss, whose types are nobody else's business; absent where the store is only read. */
  readonly queue: object | undefined;
  /** @internal Queues that pg-boss knows, so that it asks for none of them within a transaction. */
  readonly knownQueues: Set<string>;
  close(this: void): Promise<void>;
}

const shortestHeartbeat = 10;

/** Opens a store: `postgres://…`, or a folder. Errors never show the password of the address. */
export async function openStore(text: string, options: OpenStoreOptions = {}): Promise<Store> {
  const address = parseStoreAddress(text);
  const { waitSeconds = 0, onTrouble } = options;
  const safely = (): Promise<Store> =>
    open(address, options).catch((error: unknown) => {
      throw sanitised(error, address);
    });
  return onceReachable(safely, { seconds: waitSeconds, onTrouble });
}

async function open(address: StoreAddress, options: OpenStoreOptions): Promise<Store> {
  const isEmbedded = address.kind === 'folder';
  const { create = false, purpose = 'read', onTrouble } = options;
  const { heartbeatSeconds: wanted = isEmbedded ? 24 * 3600 : 120 } = options;
  if (!Number.isInteger(wanted) || wanted < shortestHeartbeat) {
    throw new RangeError(
      `store: expected a heartbeat of ${shortestHeartbeat} seconds or more, got ${wanted}`,
    );
  }
  const none = (): Error =>
    new Error(`store: expected a store at ${address.name}, got none (flowgrad sweep add makes one)`);
  if (isEmbedded && !create && !(await isEmbeddedStore(address.folder))) throw none();
  const database = isEmbedded
    ? await openEmbedded(address.folder, address.name)
    : secretive(await openPostgres(address.url), address);
  let boss: PgBoss | undefined;
  try {
    const before = await storeSettings(database);
    if (before) expectVersion(before.version, address.name);
    else if (!create) throw none();
    const heartbeatSeconds = before?.heartbeatSeconds ?? wanted;
    if (purpose !== 'read') {
      const onError = (error: Error): void => onTrouble?.(withoutSecret(error.message, address));
      const supervises = purpose === 'work';
      boss = await startQueue(
        database,
        { isEmbedded, heartbeatSeconds, supervises, creates: !before },
        onError,
      );
    }
    if (!before) await createTables(database, heartbeatSeconds);
    const { version, heartbeatSeconds: agreed } = (await storeSettings(database)) ?? {
      version: storeVersion,
      heartbeatSeconds,
    };
    expectVersion(version, address.name);
    const close = async (): Promise<void> => {
      await boss?.stop({ graceful: false }).catch(() => undefined);
      await database.close();
    };
    const knownQueues = new Set<string>();
    return {
      ...{ name: address.name, heartbeatSeconds: agreed, folder: isEmbedded ? address.folder : undefined },
      ...{ database, queue: boss, knownQueues, close },
    };
  } catch (error) {
    await boss?.stop({ graceful: false }).catch(() => undefined);
    await database.close().catch(() => undefined);
    throw error;
  }
}

/** Whatever it throws says nothing of the password. */
function secretive({ query, transaction, close }: Database, address: StoreAddress): Database {
  const safely = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw sanitised(error, address);
    });
  return {
    query: (text, values) => safely(query(text, values)),
    transaction: (work) => safely(transaction(work)),
    close,
  };
}

/** The error itself, if it says nothing that it should not; codes of the server explain themselves. */
function sanitised(error: unknown, address: StoreAddress): unknown {
  if (!(error instanceof Error)) return error;
  const { code } = error as { readonly code?: unknown };
  const said = explained(error, code, address);
  if (said === error.message && !withoutSecret(error.stack ?? '', address).includes('•••')) return error;
  const safe = new Error(said);
  safe.stack = withoutSecret(error.stack ?? '', address);
  return Object.assign(safe, typeof code === 'string' && { code });
}

const explanations: Readonly<Record<string, string>> = {
  '28P01': 'expected the password of the user, got another (PGPASSWORD, ~/.pgpass or FLOWGRAD_STORE)',
  '28000': 'expected a user that may connect, got one that may not',
  '3D000': 'expected a database of that name, got none',
  '42501': 'expected the right to do this, got none (see the roles in the README of @flowgrad/sweeps)',
  ECONNREFUSED: 'expected a server that answers, got none',
  ENOTFOUND: 'expected a host of that name, got none',
};

function explained(error: Error, code: unknown, address: StoreAddress): string {
  const known = typeof code === 'string' ? explanations[code] : undefined;
  const message = withoutSecret(error.message, address);
  if (known === undefined) return message;
  return message.startsWith('store: ')
    ? message
    : `store: ${address.name}: ${known} (${message || String(code)})`;
}
