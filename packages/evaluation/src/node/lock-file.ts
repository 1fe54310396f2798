/**
 * The lock of an owner: who it is, and a number that its heart counts up. It lies beside the manifests that name the
 * same owner; where those are gone it tells that they were there, and whose the temporary names are.
 */
import { join } from 'node:path';
import { readIfThere } from '@flowgrad/files/node';
import { emptyManifest, isOwner } from '../run/manifest.ts';
import type { Manifest, Owner } from '../run/manifest.ts';
import { ownerState } from './folder-owner.ts';

const pattern = /^lock-([0-9a-f]{32})$/;
/** Longer than any that is written. */
const mostBytes = 4096;

export const lockName = (token: string): string => `lock-${token}`;
/** What the heart writes begins after this. */
export const lockText = (owner: Owner): string => `${JSON.stringify(owner)}\n`;

/** The owner that wrote a lock; undefined if the lock is gone, or nobody of ours wrote it. */
async function readLock(folder: string, name: string): Promise<Owner | undefined> {
  const bytes = await readIfThere(join(folder, name), mostBytes);
  const [line] = Buffer.from(bytes ?? [])
    .toString('utf8')
    .split('\n', 1);
  try {
    const found: unknown = JSON.parse(line);
    return isOwner(found) && name === lockName(found.token) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** The owners whose locks are among these names, in a manifest that lists nothing else; undefined if there is none. */
export async function manifestByLocks(
  folder: string,
  names: readonly string[],
): Promise<Manifest | undefined> {
  const locks = names.filter((name) => pattern.test(name));
  const owners = (await Promise.all(locks.map((name) => readLock(folder, name)))).flatMap(
    (owner) => owner ?? [],
  );
  const owner = owners.find((each) => ownerState(each) !== 'dead') ?? owners.at(0);
  if (!owner) return undefined;
  const formerOwners = owners.flatMap(({ token }) => (token === owner.token ? [] : [token]));
  return { ...emptyManifest, owner, formerOwners };
}
