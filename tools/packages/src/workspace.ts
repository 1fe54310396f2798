import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const workspaceRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** A publishable package of the workspace. */
export interface Library {
  readonly name: string;
  readonly folder: string;
  /** The subpaths of its `exports`, "." among them. */
  readonly subpaths: readonly string[];
  /** The files that `exports` names for someone who installed the package. */
  readonly targets: readonly string[];
  readonly dependencies: readonly string[];
  /** Whether all of it is for Node, not only its subpath ./node. */
  readonly isForNode: boolean;
}

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports: Record<string, Record<string, string>>;
  readonly dependencies?: Record<string, string>;
  readonly nx?: { readonly tags?: readonly string[] };
}

/** Every package in packages/ that is not private. */
export function libraries(): Library[] {
  return readdirSync(join(workspaceRoot, 'packages')).flatMap((directory) => {
    const folder = join(workspaceRoot, 'packages', directory);
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
    if (manifest.private === true) return [];
    // An entry without a script, such as ./testing, is for the workspace alone.
    const entries = Object.entries(manifest.exports).filter(
      ([, { default: script }]) => script !== undefined,
    );
    return [
      {
        name: manifest.name,
        folder,
        subpaths: entries.map(([subpath]) => subpath),
        targets: entries.flatMap(([, { types, default: script }]) => [types, script]),
        dependencies: Object.keys(manifest.dependencies ?? {}),
        isForNode: manifest.nx?.tags?.includes('env:node') ?? false,
      },
    ];
  });
}

/** `library` and the workspace's libraries that it needs, directly or not. */
export function closure(library: Library, all: readonly Library[]): Library[] {
  const found = new Set([library]);
  for (const { dependencies } of found) {
    for (const other of all) if (dependencies.includes(other.name)) found.add(other);
  }
  return [...found];
}

/** The packages from elsewhere that these libraries need, directly or not, each as its folder. */
export function strangers(needed: readonly Library[], all: readonly Library[]): string[] {
  const names = new Set(needed.flatMap(({ dependencies }) => dependencies));
  for (const { name } of all) names.delete(name);
  const folderOf = (name: string): string => join(workspaceRoot, 'node_modules', name);
  // A set that grows while it is walked: what these need in turn.
  for (const name of names) {
    const manifest = readFileSync(join(folderOf(name), 'package.json'), 'utf8');
    for (const other of Object.keys((JSON.parse(manifest) as Manifest).dependencies ?? {})) names.add(other);
  }
  return Array.from(names, folderOf);
}

/** Runs a program in `cwd` and returns what it printed; its error names everything it said. */
export async function run(cwd: string, program: string, ...args: string[]): Promise<string> {
  try {
    return (await promisify(execFile)(program, args, { cwd, env: environment() })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(' ')} failed in ${cwd}:\n${stdout}\n${stderr}`, { cause: error });
  }
}

/** What a program printed, whether or not it was content. */
export async function outcome(cwd: string, program: string, ...args: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd, env: environment() }, (_, stdout) => resolve(stdout));
  });
}

/**
 * This process's environment without what an outer npm passes down, which would name the wrong workspace, and
 * without Nx's wish for colours.
 */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|FORCE_COLOR$)/i.test(name)),
  );
}
