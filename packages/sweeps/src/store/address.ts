/** Where a store is: the address of a PostgreSQL server, or a folder. */
import { resolve } from 'node:path';

/** A server or a folder, and how to call it in front of others. */
export type StoreAddress =
  | { readonly kind: 'postgres'; readonly url: string; readonly name: string; readonly secret: string }
  | { readonly kind: 'folder'; readonly folder: string; readonly name: string; readonly secret: '' };

/** Where a store is unless somebody says so. */
export const defaultStore = 'runs/.sweep';

/** Whether a text is the address of a server, rather than a path. */
export const isServerAddress = (text: string): boolean => /^postgres(ql)?:\/\//i.test(text);

/** Reads an address. What is wrong with it is said without its password. */
export function parseStoreAddress(text: string): StoreAddress {
  if (!isServerAddress(text)) {
    const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1];
    if (text === '' || scheme !== undefined) {
      throw new RangeError(
        `store: expected postgres://… or a folder, got ${scheme === undefined ? 'nothing' : `${scheme}://…`}`,
      );
    }
    return { kind: 'folder', folder: resolve(text), name: text, secret: '' };
  }
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    // The error of a URL quotes all of it.
    throw new RangeError('store: expected postgres://user@host:port/database, got an address that is none');
  }
  const secret = decoded(url.password) || (url.searchParams.get('password') ?? '');
  const user = url.username === '' ? '' : `${decoded(url.username)}@`;
  return { kind: 'postgres', url: text, name: `postgres://${user}${url.host}${url.pathname}`, secret };
}

/** What is no encoded text is itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A text in which the password of a store stands nowhere, neither as it is nor as an address writes it. */
export function withoutSecret(text: string, { secret }: Pick<StoreAddress, 'secret'>): string {
  if (secret === '') return text;
  return [secret, encodeURIComponent(secret)].reduce((left, each) => left.replaceAll(each, '•••'), text);
}
