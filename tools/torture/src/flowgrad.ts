/** The built command line in processes of their own, attacked from outside. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild } from './child.ts';
import type { Child, Ended } from './child.ts';
import type { DiskPlan, Operation } from './disk/faulty-disk.js';

export const workspace = fileURLToPath(new URL('../../../', import.meta.url));
export const program = join(workspace, 'packages/cli/bin/flowgrad.js');
/** The scripts of this package are the built ones, also where its tests are not. */
export const scripts = join(workspace, 'tools/torture/dist');

export interface StartOptions {
  /** What happens to its files; the folder is the working directory. */
  readonly disk?: Omit<DiskPlan, 'folder'>;
  /** A command and its words to run the process by, such as `unshare`. */
  readonly by?: readonly string[];
}

export function startFlowgrad(
  words: readonly string[],
  cwd: string,
  { disk, by = [] }: StartOptions = {},
): Child {
  const plan: DiskPlan | undefined = disk && { ...disk, folder: cwd };
  const preload = plan ? ['--import', join(scripts, 'disk/faulty-disk.js')] : [];
  return startChild([...by, process.execPath, ...preload, program, ...words], {
    cwd,
    ...(plan && { env: { FLOWGRAD_FAULTY_DISK: JSON.stringify(plan) } }),
    seconds: 180,
  });
}

export const flowgrad = (words: readonly string[], cwd: string, options?: StartOptions): Promise<Ended> =>
  startFlowgrad(words, cwd, options).ended;

/** What a process did to its files. */
export async function readLog(log: string): Promise<Operation[]> {
  const lines = (await readFile(log, 'utf8')).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Operation);
}
