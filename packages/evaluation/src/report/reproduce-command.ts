import { resolveRun } from '../run/run-config.ts';
import type { RunConfig } from '../run/run-config.ts';

/** The command that trains a run again: what differs from the defaults, and both seeds. */
export function reproduceCommand(config: RunConfig): string {
  const flags = flagsOf(config) ?? ['--settings', JSON.stringify(config)];
  return ['flowgrad train', ...flags.map((word) => quoted(String(word)))].join(' ');
}

/** Undefined where only `--settings` can say it: a world of one's own, or options that have no flag. */
function flagsOf(config: RunConfig): (string | number)[] | undefined {
  const { group, model, seed, shuffling, features } = config;
  if (typeof group !== 'string') return undefined;
  const defaults = resolveRun({ group, model });
  const { d, ...others } = config.options;
  if (Object.keys(others).length > 0 || features?.embeddings === false) return undefined;
  const words: (string | number)[] = ['--group', group, '--model', model];
  words.push('--seed', seed, '--shuffling', shuffling);
  for (const key of ['epochs', 'batch', 'plan'] as const) {
    if (config[key] !== defaults[key]) words.push(`--${key}`, config[key]);
  }
  if (d !== undefined && d !== defaults.options.d) words.push('--d', d);
  if (config.learningRates.join() !== defaults.learningRates.join()) {
    words.push('--learning-rates', config.learningRates.join(','));
  }
  if (features) words.push('--features', features.frequencies);
  return words;
}

/** A value that a shell would read otherwise is quoted. */
const quoted = (word: string): string =>
  /^[\w.,+:=/-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
