/** The store that a command line means, and the package that opens it, loaded when it is needed. */
import type * as sweeps from '@flowgrad/sweeps';
import type { OpenStoreOptions, Store } from '@flowgrad/sweeps';
import type { Output } from '../command.ts';
import { textFlag } from '../flags/flag.ts';
import { UsageError } from '../usage-error.ts';

export type Sweeps = typeof sweeps;

export const storeFlag = {
  store: textFlag({
    value: '<address>',
    about: 'postgres://user@host/database or a folder (default $FLOWGRAD_STORE, then runs/.sweep)',
  }),
};

/** Drivers and an embedded server: loaded when a command needs them, so that the others do not wait. */
export const loadSweeps = (): Promise<Sweeps> => import('@flowgrad/sweeps');

/** Tells of trouble with a store that passes by itself, once each: the same is tried every few seconds. */
export function troubleTold(stderr: Output): (text: string) => void {
  let said = '';
  return (text) => {
    if (text !== said) stderr.write(`store: ${text.replace(/^store: /, '')}\n`);
    said = text;
  };
}

/** From the flag, or from the environment, where a password may stand too. */
export async function storeAddress(
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const { defaultStore, parseStoreAddress } = await loadSweeps();
  const fromEnvironment = env['FLOWGRAD_STORE'];
  if (given === undefined)
    return fromEnvironment === undefined || fromEnvironment === '' ? defaultStore : fromEnvironment;
  let address;
  try {
    address = parseStoreAddress(given);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  if (address.secret === '') return given;
  throw new UsageError(
    `sweep: expected an address without a password, got one for ${address.name}, which everybody sees in the list of ` +
      'processes (put it into PGPASSWORD or ~/.pgpass, or the whole address into FLOWGRAD_STORE)',
  );
}

/** Opens a store, and closes it when `work` is done. */
export async function withStore<T>(
  address: string,
  options: OpenStoreOptions,
  work: (store: Store, sweeps: Sweeps) => Promise<T>,
): Promise<T> {
  const loaded = await loadSweeps();
  const store = await loaded.openStore(address, options);
  try {
    return await work(store, loaded);
  } finally {
    await store.close();
  }
}
