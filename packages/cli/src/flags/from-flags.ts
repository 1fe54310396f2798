/** Settings that were given as flags: what is wrong with them is wrong usage, and said in words of flags. */
import { flagOf } from '@flowgrad/evaluation';
import type { Naming } from '@flowgrad/schema';
import { UsageError } from '../usage-error.ts';

/** `options.d` → `--d` */
const asFlag: Naming = (path) => {
  const name = path.split('.').at(-1)!;
  return name === 'options' ? 'flags' : `--${flagOf(name)}`;
};

const lists = new Set(['group', 'model', 'seed', 'shuffling']);

/** The same, where several of what a run has one of are given: `model` → `--models` */
const asGridFlag: Naming = (path) => (lists.has(path) ? `--${path}s` : asFlag(path));

/** What `resolve` makes of flags, of one run or, for a `command` that takes grids, of several. */
export function fromFlags<T>(
  command: string,
  resolve: (nameOf: Naming) => T,
  { isGrid = false }: { readonly isGrid?: boolean } = {},
): T {
  try {
    return resolve(isGrid ? asGridFlag : asFlag);
  } catch (error) {
    if (!(error instanceof RangeError) || !error.message.startsWith('run: ')) throw error;
    throw new UsageError(`${command}: ${error.message.slice('run: '.length)}`);
  }
}
