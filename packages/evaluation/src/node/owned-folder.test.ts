import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Owner } from '../run/manifest.ts';
import { fileOperations } from './testing/file-operations.ts';
import type * as owners from './folder-owner.ts';
import { foreignNames, listingOf, readManifest, readOwnedFile } from './manifest-file.ts';
import { claimFolder, FolderLostError } from './owned-folder.ts';
import type { OwnedFolder } from './owned-folder.ts';

vi.mock('node:fs/promises', async (importOriginal) => {
  const { watchFileOperations } = await import('./testing/file-operations.ts');
  return watchFileOperations(await importOriginal());
});

/** What this process can tell of the owners that it finds. */
let ownersAre: 'alive' | 'dead' | 'unknown' = 'alive';
const dead = new Set<string>();
let haveHearts = false;
vi.mock('./folder-owner.ts', async (importOriginal) => {
  const original = await importOriginal<typeof owners>();
  return {
    ...original,
    ownerState: ({ token }: Owner) => (dead.has(token) ? 'dead' : ownersAre),
    startHeartbeat: (...args: Parameters<typeof original.startHeartbeat>) =>
      haveHearts ? original.startHeartbeat(...args) : () => Promise.resolve(),
  };
});

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'flowgrad-owned-')), 'run');
  ownersAre = 'alive';
  haveHearts = false;
  fileOperations.before = () => undefined;
});
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

const text = async (path: string): Promise<string | undefined> => {
  const bytes = await readOwnedFile(folder, path);
  return bytes && Buffer.from(bytes).toString();
};

/** The files that the manifest lists, each read and checked. */
async function contents(): Promise<Record<string, string | undefined>> {
  const paths = Object.keys((await readManifest(folder))?.files ?? {}).sort();
  const read = await Promise.all(paths.map(async (path) => [path, await text(path)] as const));
  return Object.fromEntries(read);
}

const namesBelow = (below: string): string[] =>
  readdirSync(below, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(below.length + 1))
    .sort();

const newCheckpoint = 'checkpoints/step-00000002/position.json';
const before = { 'config.json': 'a', 'metrics.jsonl': '1', 'checkpoints/step-00000001/position.json': 'old' };
const after = { 'config.json': 'a', 'metrics.jsonl': '12', 'checkpoints/step-00000002/position.json': 'new' };

async function commitBefore(): Promise<OwnedFolder> {
  const owned = await claimFolder(folder);
  await owned.commit({ write: before });
  return owned;
}
const commitAfter = (owned: OwnedFolder): Promise<void> => {
  const { 'config.json': _, ...write } = after;
  return owned.commit({ write, remove: ['checkpoints/step-00000001/position.json'] });
};

describe('a commit', () => {
  it('is there afterwards, and nothing else is', async () => {
    const owned = await commitBefore();
    await commitAfter(owned);
    expect(await contents()).toEqual(after);
    await owned.release();
    expect(await contents()).toEqual(after);
    expect(namesBelow(folder)).toEqual([...Object.keys(after), 'manifest-00000004.json'].sort());
    expect((await readdir(join(folder, 'checkpoints'))).sort()).toEqual(['step-00000002']);
  });

  it('cut off at any operation on files is there whole or not at all, and the next owner leaves no rubbish', async () => {
    const seen = new Set<string>();
    let operations = Infinity;
    for (let cut = 0; cut < operations; cut++) {
      await rm(folder, { recursive: true, force: true });
      const owned = await commitBefore();
      let count = 0;
      fileOperations.before = () => {
        if (count++ >= cut) throw new Error('killed');
      };
      const outcome = await commitAfter(owned).then(
        () => 'done',
        () => 'killed',
      );
      if (outcome === 'done') operations = cut;
      await owned.release();
      fileOperations.before = () => undefined;
      // Readers need no recovery.
      const found = JSON.stringify(await contents());
      expect([before, after].map((each) => JSON.stringify(sorted(each)))).toContain(found);
      seen.add(found);
      ownersAre = 'dead';
      const next = await claimFolder(folder);
      await next.release();
      expect(JSON.stringify(await contents())).toBe(found);
      const [checkpoint, config, metrics] = Object.keys(JSON.parse(found) as object);
      expect(namesBelow(folder)).toEqual([checkpoint, config, expect.stringMatching(/^manifest-/), metrics]);
      expect(await foreignNames(folder)).toEqual([]);
    }
    expect(operations).toBeGreaterThan(20);
    expect(seen.size).toBe(2);
  });

  it('held up at any operation while another process takes over is lost, or was complete before', async () => {
    let operations = Infinity;
    for (let pause = 0; pause < operations; pause++) {
      await rm(folder, { recursive: true, force: true });
      const owned = await commitBefore();
      let count = 0;
      let resume: () => void = () => undefined;
      const paused = new Promise<void>((isPaused) => {
        fileOperations.before = () => {
          if (count++ !== pause) return;
          fileOperations.before = () => undefined;
          isPaused();
          return new Promise<void>((go) => (resume = go));
        };
      });
      const committing = commitAfter(owned).then(
        () => 'done',
        (error: Error) => error.name,
      );
      const outcome = await Promise.race([committing, paused]);
      if (outcome === 'done') {
        operations = pause;
        fileOperations.before = () => undefined;
        await owned.release();
        break;
      }
      ownersAre = 'dead';
      const other = await claimFolder(folder);
      const { [newCheckpoint]: _, ...taken } = await contents();
      await other.commit({ write: { 'summary.json': 'other' }, remove: [newCheckpoint] });
      resume();
      await committing;
      await expect(owned.commit({ write: { 'metrics.jsonl': 'late' } })).rejects.toThrow(FolderLostError);
      await owned.release();
      expect(await contents(), `paused at operation ${pause}`).toEqual({ ...taken, 'summary.json': 'other' });
      expect(existsSync(join(folder, newCheckpoint, '..')), `paused at operation ${pause}`).toBe(false);
      await other.release();
    }
    expect(operations).toBeGreaterThan(20);
  });

  it('never writes over a name that is not of the run', async () => {
    const owned = await commitBefore();
    await writeFile(join(folder, 'summary.json'), 'mine');
    await expect(owned.commit({ write: { 'summary.json': 'x', 'metrics.jsonl': 'y' } })).rejects.toThrow(
      `run: expected no summary.json in ${folder} yet, got one that this run did not write`,
    );
    await owned.release();
    expect(await readFile(join(folder, 'summary.json'), 'utf8')).toBe('mine');
    expect(await contents()).toEqual(sorted(before));
  });
});

describe('a claim', () => {
  it('is won by one of many, whether the folder is new, left by a dead owner, or free', async () => {
    const race = async (): Promise<OwnedFolder> => {
      const claims = await Promise.allSettled(Array.from({ length: 12 }, () => claimFolder(folder)));
      const won = claims.filter((each) => each.status === 'fulfilled');
      expect(won).toHaveLength(1);
      for (const each of claims) {
        if (each.status === 'rejected') expect(String(each.reason)).toContain('locked by process');
      }
      return won[0].value;
    };
    const first = await race();
    await first.commit({ write: before });
    dead.add((await readManifest(folder))!.owner!.token);
    const second = await race();
    expect(await contents()).toEqual(sorted(before));
    await expect(first.commit({ write: after })).rejects.toThrow(FolderLostError);
    await second.release();
    const third = await race();
    expect(await contents()).toEqual(sorted(before));
    await third.release();
  });

  it('waits for an owner that it cannot look at, and takes over when that is silent', async () => {
    const silent = await commitBefore();
    for (const name of await readdir(folder)) if (name.startsWith('lock-')) await rm(join(folder, name));
    ownersAre = 'unknown';
    const waited: string[] = [];
    const next = await claimFolder(folder, { leaseSeconds: 0.3, onWait: (owner) => waited.push(owner) });
    expect(waited).toEqual([expect.stringMatching(/^process \d+ on /)]);
    await expect(silent.commit({ write: { 'metrics.jsonl': 'late' } })).rejects.toThrow(FolderLostError);
    await silent.release();
    expect(await contents()).toEqual(sorted(before));
    await next.release();
  });

  it('is refused while the heart of such an owner beats', async () => {
    haveHearts = true;
    const owned = await claimFolder(folder, { leaseSeconds: 1 });
    await owned.commit({ write: before });
    ownersAre = 'unknown';
    await expect(claimFolder(folder, { leaseSeconds: 5 })).rejects.toThrow('locked by process');
    await owned.commit({ write: { 'metrics.jsonl': 'still mine' } });
    await owned.release();
  });

  it('that comes to nothing leaves nothing', async () => {
    const owned = await claimFolder(folder);
    await owned.release();
    expect(existsSync(folder)).toBe(false);
  });

  it('knows an owner whose manifest is gone by its lock, and tidies up after it', async () => {
    const owned = await commitBefore();
    const { token } = (await readManifest(folder))!.owner!;
    const rubbish = `.tmp-${token}-9-metrics.jsonl`;
    const foreign = ['.tmp-0123456789abcdef0123456789abcdef-1-x', `lock-${'0'.repeat(32)}`];
    for (const name of [rubbish, ...foreign]) await writeFile(join(folder, name), '{}');
    for (const name of await readdir(folder)) if (name.startsWith('manifest-')) await rm(join(folder, name));
    await expect(claimFolder(folder)).rejects.toThrow('locked by process');
    await expect(commitAfter(owned)).rejects.toThrow(FolderLostError);
    ownersAre = 'dead';
    const next = await claimFolder(folder);
    await next.commit({ adopt: { 'config.json': listingOf('a') } });
    await next.release();
    const names = await readdir(folder);
    expect(names.filter((name) => /^(\.tmp|lock)-/.test(name)).sort()).toEqual(foreign.sort());
    expect(await text('config.json')).toBe('a');
  });

  it('never removes what it does not know', async () => {
    const names = ['.tmp-0123456789abcdef0123456789abcdef-1-x', 'lock-1', 'manifest.json', 'a.old-1'];
    await (await commitBefore()).release();
    for (const name of names) await writeFile(join(folder, name), '');
    const owned = await claimFolder(folder);
    await commitAfter(owned);
    await owned.release();
    expect(await foreignNames(folder)).toEqual(names.sort());
  });
});

describe('reading', () => {
  it.each(['flipped', 'cut', 'gone'])('a file that is %s is an error that names it', async (how) => {
    await (await commitBefore()).release();
    const path = join(folder, 'metrics.jsonl');
    if (how === 'flipped') await writeFile(path, '0');
    if (how === 'cut') await writeFile(path, '');
    if (how === 'gone') await rm(path);
    await expect(text('metrics.jsonl')).rejects.toThrow(
      `${path}: expected the 1 bytes that the manifest lists, got`,
    );
  });

  it('a damaged manifest is an error that names it and the way out', async () => {
    await (await commitBefore()).release();
    const path = join(folder, 'manifest-00000003.json');
    await writeFile(path, (await readFile(path, 'utf8')).replace('"bytes": 1', '"bytes": 3'));
    await expect(readManifest(folder)).rejects.toThrow(
      `${path}: expected the manifest of a run, got a damaged one`,
    );
  });
});

const sorted = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1))) as T;

it('does not read a file whose size is not the listed one', async () => {
  const owned = await claimFolder(folder);
  await owned.commit({ write: { 'snapshots/epoch-0001.safetensors': 'a' } });
  await truncate(join(folder, 'snapshots/epoch-0001.safetensors'), 2 ** 30);
  const memory = process.memoryUsage().arrayBuffers;
  await expect(text('snapshots/epoch-0001.safetensors')).rejects.toThrow(
    'expected the 1 bytes that the manifest lists, got 1073741824 bytes',
  );
  expect(process.memoryUsage().arrayBuffers - memory).toBeLessThan(2 ** 24);
  await owned.release();
});
