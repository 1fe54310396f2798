/** Folders that are filled once and then only read, by any number of processes at a time. */
import { access, chmod, constants, lstat, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const inWorkspace = fileURLToPath(new URL('../../../node_modules/.cache/flowgrad', import.meta.url));
// Windows says 0 of every file.
const user = process.getuid?.() ?? 0;
/** For who may not write into the workspace. */
const inTemporaryFiles = join(tmpdir(), `flowgrad-${user}`);

/**
 * The folder `name` of the cache, filled by `fill` if it is not there yet. It appears whole or not at all: it is
 * filled under another name and then renamed, and who comes second discards its own.
 */
export async function unpackOnce(
  name: string,
  fill: (folder: string) => Promise<void>,
  cache = inWorkspace,
  cacheElsewhere = inTemporaryFiles,
): Promise<string> {
  const folder = join(cache, name);
  if (await exists(folder)) return folder;
  if (await isWritable(cache)) return unpackInto(folder, fill);
  await expectOwn(cacheElsewhere);
  const elsewhere = join(cacheElsewhere, name);
  return (await exists(elsewhere)) ? elsewhere : unpackInto(elsewhere, fill);
}

async function unpackInto(folder: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const unfinished = await mkdtemp(`${folder}.unfinished-`);
  try {
    await fill(unfinished);
    await chmod(unfinished, 0o755);
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!(await exists(folder))) throw error;
  }
  return folder;
}

const succeeds = (attempt: Promise<unknown>): Promise<boolean> =>
  attempt.then(
    () => true,
    () => false,
  );

const exists = (path: string): Promise<boolean> => succeeds(access(path));

async function isWritable(folder: string): Promise<boolean> {
  return succeeds(mkdir(folder, { recursive: true }).then(() => access(folder, constants.W_OK)));
}

/** Programs are started from there, and among temporary files anyone could have made a folder of that name. */
async function expectOwn(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const owner = (await lstat(folder)).uid;
  if (owner !== user) {
    throw new Error(`unpackOnce: expected ${folder} to belong to user ${user}, got ${owner} (remove it)`);
  }
}
