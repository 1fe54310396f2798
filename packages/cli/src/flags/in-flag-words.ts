/** What the library says of settings, in words of the flags that set them. */
import { flagOf, runFields } from '@flowgrad/evaluation';
import { modelOptions } from '@flowgrad/models';
import { UsageError } from '../usage-error.ts';

const settings: ReadonlySet<string> = new Set(['group', 'model', ...Object.keys(runFields)]);
const options: ReadonlySet<string> = new Set(Object.keys(modelOptions));
const flag = (name: string): string => `--${flagOf(name)}`;

/** Where the names of settings stand in messages; elsewhere `batch` or `plan` are plain words. */
const places = [
  /(?:options|features)\.(\w+)/g,
  /^(\w+)(?=: )/g,
  /(?<![\w-])(\w+)(?= = )/g,
  /(?<=\(make )(\w+)(?= smaller\))/g,
];

/** `keepNodes: expected …` → `--keep-nodes: expected …` */
export function inFlagWords(problem: string): string {
  const ofModel = /^options: expected options (of .*)$/s.exec(problem);
  if (ofModel) {
    return `expected flags ${ofModel[1].replaceAll(/\b\w+\b/g, (word) => (options.has(word) ? flag(word) : word))}`;
  }
  return places.reduce(
    (text, place) =>
      text.replaceAll(place, (found, name: string) => (settings.has(name) ? flag(name) : found)),
    problem,
  );
}

/** Settings that were given as flags and do not fit are wrong usage. */
export function fromFlags<T>(command: string, resolve: () => T): T {
  try {
    return resolve();
  } catch (error) {
    if (!(error instanceof RangeError) || !error.message.startsWith('run: ')) throw error;
    throw new UsageError(`${command}: ${inFlagWords(error.message.slice('run: '.length))}`);
  }
}
