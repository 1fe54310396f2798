/** Models of one's own: modules that `--models` names, whose models are known by name beside ours. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { addModel, isOurs } from '@flowgrad/models';
import type { ModelDefinition } from '@flowgrad/models';
import { textFlag } from '../flags/flag.ts';
import { parseWords } from '../flags/lists.ts';
import { UsageError } from '../usage-error.ts';

export const ownModelsFlag = {
  models: textFlag({
    value: '<file.js,…>',
    about: 'modules that export models of your own, known by name beside ours',
  }),
};

/** `./my-models.js`, and not `GGNN-MulMlp`. */
export const isModule = (word: string): boolean => /[/\\]|\.[cm]?js$/.test(word);

/** Where modules come from that were loaded in this process, for the processes that it starts. */
const loaded = new Set<string>();
export const loadedModules = (): readonly string[] => [...loaded];

/** Loads the modules among the words behind --models; `names` says whether names of models may stand there, too. */
export async function loadOwnModels(
  where: string,
  words: readonly string[],
  { names }: { readonly names: boolean },
): Promise<void> {
  const found = new Map<string, string>();
  for (const word of behindModels(words)) {
    if (isModule(word)) await loadModule(where, word, found);
    else if (!names) {
      throw new UsageError(`${where}: --models: expected a module, such as ./my-models.js, got '${word}'`);
    }
  }
}

function behindModels(words: readonly string[]): string[] {
  const lists = words.flatMap((word, i) => {
    if (word.startsWith('--models=')) return [word.slice('--models='.length)];
    return word === '--models' && words[i + 1] !== undefined ? [words[i + 1]] : [];
  });
  return lists.flatMap(parseWords);
}

/** Every export of the module is a model. */
async function loadModule(where: string, path: string, found: Map<string, string>): Promise<void> {
  const fail = (expected: string, got: string): UsageError =>
    new UsageError(`${where}: --models: expected ${expected}, got ${got}`);
  const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw fail(
      'a module',
      error.code === 'ENOENT' ? `${path}, where no file is` : `${path} (${error.message})`,
    );
  });
  const sha256 = createHash('sha256').update(content).digest('hex');
  const { href } = pathToFileURL(resolve(path));
  // A module that has changed is another one.
  const exported = await (import(`${href}?sha256=${sha256}`) as Promise<Record<string, unknown>>).catch(
    (error: unknown) => {
      throw fail('a module that can be loaded', `${path}: ${(error as Error).message}`);
    },
  );
  const entries = Object.entries(exported);
  if (entries.length === 0)
    throw fail('models among the exports of a module', `${path}, which exports nothing`);
  for (const [name, value] of entries) {
    if (!isDefinition(value)) {
      throw fail(
        'every export to be a model, as defineExplicitFlow and defineRegularNetwork make them',
        `${name} of ${path}, which is none`,
      );
    }
    if (isOurs(value.name)) throw fail('names that no model here has', `${value.name} in ${path}`);
    const other = found.get(value.name);
    if (other !== undefined) throw fail('each name once', `${value.name} in ${other} and in ${path}`);
    found.set(value.name, path);
    addModel(value, { file: basename(path), sha256 });
  }
  loaded.add(path);
}

function isDefinition(value: unknown): value is ModelDefinition {
  if (typeof value !== 'object' || value === null) return false;
  const { name, options, asks, build } = value as Record<string, unknown>;
  const isNamed = typeof name === 'string' && /^[A-Za-z][\w.-]{0,63}$/.test(name);
  return isNamed && Array.isArray(options) && typeof asks === 'boolean' && typeof build === 'function';
}
