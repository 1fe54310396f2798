/** A run that trains in less than a second, what becomes of it when nobody attacks it, and what must never differ. */
import { cp, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Ended } from './child.ts';
import { command } from './commands/commands.ts';
import type { Operation } from './disk/faulty-disk.js';
import { flowgrad, readLog } from './flowgrad.ts';
import { demand } from './torture.ts';

export const epochs = 4;
export const device = ['--device', 'wasm', '--threads', '1'];

/** Into `run` of the working directory. Rates are high, so that epochs differ and snapshots are dropped. */
export const trainWords = (seed = 1): string[] => [
  ...['train', '--group', 'SINE-SZ6-STP4-NDRP-STD0.2', '--model', 'GGNN-MulMlp', '--d', '4'],
  ...['--epochs', String(epochs), '--batch', '16', '--learning-rates', '0.05,0.02', '--seed', String(seed)],
  ...[...device, '--out', 'run'],
];
/** Goes on, or begins where nothing is there yet. */
export const resumeWords = (seed = 1): string[] => [...trainWords(seed), '--resume'];

/** What a folder holds: bytes by path, folders by their path and a slash. */
export type Contents = ReadonlyMap<string, Buffer | 'folder' | 'link'>;

/** A huge file is known by its size alone. */
async function contentOf(path: string): Promise<Buffer> {
  const { size } = await stat(path);
  return size < 2 ** 26 ? readFile(path) : Buffer.from(`${size} bytes`);
}

export async function contentsOf(folder: string): Promise<Contents> {
  const found = new Map<string, Buffer | 'folder' | 'link'>();
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path);
    if (entry.isDirectory()) found.set(`${name}/`, 'folder');
    else if (entry.isFile()) found.set(name, await contentOf(path));
    else found.set(name, 'link');
  }
  return found;
}

/** How long things took, and on what machine, differs from run to run; checksums of such files do too. */
const withoutTimes: Readonly<Record<string, (text: string) => string>> = {
  'metrics.jsonl': (text) => text.replaceAll(/,"seconds":[^,}]*/g, ''),
  'summary.json': (text) => text.replaceAll(/"seconds":[^,}]*,/g, ''),
  'environment.json': () => '',
  'manifest-n.json': () => '',
};

/** How often a run was started and saved shows in the number of its manifest. */
const withoutNumber = (contents: Contents): Contents => {
  const found = new Map<string, Buffer | 'folder' | 'link'>();
  for (const [name, content] of contents) {
    const plain = name.replace(/manifest-\d+\.json$/, 'manifest-n.json');
    // Of two manifests one is left over.
    found.set(found.has(plain) ? name : plain, content);
  }
  return found;
};

/** In what two folders of runs differ; nothing if every number and every name is the same. */
export function differences(first: Contents, second: Contents): string[] {
  const [got, wanted] = [withoutNumber(first), withoutNumber(second)];
  const comparable = (contents: Contents, name: string): string | undefined => {
    const content = contents.get(name);
    if (content === undefined || typeof content === 'string') return content;
    const file = name.split('/').at(-1) ?? '';
    return withoutTimes[file]?.(content.toString()) ?? content.toString('latin1');
  };
  return [...new Set([...got.keys(), ...wanted.keys()])].sort().flatMap((name) => {
    if (!wanted.has(name)) return [`${name} is left over`];
    if (!got.has(name)) return [`${name} is missing`];
    return comparable(got, name) === comparable(wanted, name) ? [] : [`${name} differs`];
  });
}

/** The run of a seed, left alone: what it leaves, and what it does to its files. */
export interface Reference {
  readonly folder: string;
  readonly contents: Contents;
  readonly operations: readonly Operation[];
}

const references = new Map<string, Promise<Reference>>();

/** Trained once, in `shared`. */
export function reference(shared: string, seed = 1): Promise<Reference> {
  const folder = join(shared, `reference-${seed}`);
  const known = references.get(folder);
  if (known) return known;
  const made = (async () => {
    await mkdir(folder, { recursive: true });
    const log = `${folder}.log`;
    const ended = await flowgrad(trainWords(seed), folder, { disk: { fault: { kind: 'none' }, log } });
    demand(ended.code === 0, () => `the run that nobody attacks failed: ${ended.stderr}`);
    return { folder, contents: await contentsOf(folder), operations: await readLog(log) };
  })();
  references.set(folder, made);
  return made;
}

/** Resumes the run in `folder`, and demands that it ends as if nothing had been. */
export async function demandRecovery(folder: string, wanted: Contents, seed = 1): Promise<Ended> {
  const ended = await command(resumeWords(seed), folder);
  demand(ended.code === 0, () => `resuming ended with ${ended.code ?? ended.signal}: ${ended.stderr}`);
  demandSame(await contentsOf(folder), wanted);
  return ended;
}

export function demandSame(got: Contents, wanted: Contents): void {
  const found = differences(got, wanted);
  demand(found.length === 0, () => found.join(', '));
}

/** Words of ours, and nothing that JavaScript or the system said instead. */
export function demandOurWords({ code, stderr, stdout }: Ended): void {
  // What doctor finds is no error of its own.
  if (code === 1 && stderr === '' && /\bexpected\b/.test(stdout)) return;
  const line = stderr.split('\n').find((each) => each.startsWith('flowgrad: ')) ?? '';
  demand(code === 1 || code === 2, () => `ended with ${code}: ${stderr}`);
  const isOurs = /\bexpected\b|could not resolve/.test(line) && !/^ +at /m.test(stderr);
  demand(isOurs && !stderr.includes('--verbose shows'), () => `said ${stderr.trim() || 'nothing'}`);
}

export const copyFolder = (from: string, to: string): Promise<void> =>
  cp(from, to, { recursive: true, verbatimSymlinks: true });
