/** SQL on a server and in a folder, by the same few functions. */
import { setTimeout as wait } from 'node:timers/promises';

/** A row as it comes: statements name and cast what they want. */
export type Row = Readonly<Record<string, unknown>>;

/** Statements, one after the other, on one connection or on any. */
export interface Queries {
  query<R extends object = Row>(this: void, text: string, values?: readonly unknown[]): Promise<R[]>;
}

/** A database. */
export interface Database extends Queries {
  /** All of it or none. Done again where the server asks for that, as after a deadlock. */
  transaction<T>(this: void, work: (queries: Queries) => Promise<T>): Promise<T>;
  close(this: void): Promise<void>;
}

/** Codes of a server that undid a transaction in favour of another: it is to be done again. */
const undone = new Set(['40P01', '40001']);
const timesAgain = 10;

/** Runs a transaction again where another had to go first. */
export async function again<T>(transaction: () => Promise<T>): Promise<T> {
  for (let i = 0; ; i++) {
    try {
      return await transaction();
    } catch (error) {
      if (!undone.has(codeOf(error) ?? '') || i === timesAgain) throw error;
    }
  }
}

/** Of an error of the server or of the system. */
export const codeOf = (error: unknown): string | undefined => {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : undefined;
};

/** Whether an error means that the server cannot be reached now, and perhaps can later. */
export function isUnreachable(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  // 08: connections; 57P: the server shuts down, starts or ended this session; 53300: too many connections.
  if (/^(08|57P|53300)/.test(code)) return true;
  if (/^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND)/.test(code)) return true;
  const message = error instanceof Error ? error.message : '';
  return /Connection terminated|timeout exceeded when trying to connect|not queryable|Client has encountered/i.test(
    message,
  );
}

/** For how long, and who hears of it. */
export interface Patience {
  /** Without end unless given. */
  readonly seconds?: number;
  readonly signal?: AbortSignal;
  readonly onTrouble?: ((text: string) => void) | undefined;
}

const secondsBetween = 2;

/** Does something that may be done twice, again and again while the database is out of reach. */
export async function onceReachable<T>(
  work: () => Promise<T>,
  { seconds = Infinity, signal, onTrouble }: Patience,
): Promise<T> {
  for (const since = performance.now(); ;) {
    try {
      return await work();
    } catch (error) {
      const isLate = performance.now() - since > 1000 * seconds;
      if (isLate || signal?.aborted || !isUnreachable(error)) throw error;
      onTrouble?.((error as Error).message);
    }
    await wait(1000 * secondsBetween, undefined, { signal }).catch(() => undefined);
  }
}

/** Whether an error means that the store has no room. */
export const isFull = (error: unknown): boolean =>
  ['53100', '53200', 'ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '');
