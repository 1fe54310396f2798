import { resolveRun } from '../run/run-config.ts';
import type { RunConfig, RunModelOptions } from '../run/run-config.ts';

/** The command that trains a run again: what differs from the defaults, and both seeds. */
export function reproduceCommand(config: RunConfig): string | undefined {
  // Parameters of one's own have no name on the command line.
  if (typeof config.group !== 'string') return undefined;
  const { group, model, seed, shuffling, features } = config;
  const defaults = resolveRun({ group, model });
  const words: (string | number)[] = ['flowgrad train', '--group', group, '--model', model];
  words.push('--seed', seed, '--shuffling', shuffling);
  for (const key of ['epochs', 'batch', 'plan'] as const) {
    if (config[key] !== defaults[key]) words.push(`--${key}`, config[key]);
  }
  if (config.learningRates.join() !== defaults.learningRates.join()) {
    words.push('--learning-rates', config.learningRates.join(','));
  }
  if (features) {
    words.push('--fourier', features.frequencies);
    if (features.embeddings === false) words.push('--no-embeddings');
  }
  for (const [key, value] of Object.entries(config.options)) {
    if (value !== defaults.options[key as keyof RunModelOptions])
      words.push(`--${kebab(key)}`, String(value));
  }
  return words.map(quoted).join(' ');
}

const kebab = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** A value that a shell would read otherwise is quoted. */
const quoted = (word: string | number, i: number): string =>
  i === 0 || /^[\w.,+:=/-]+$/.test(String(word))
    ? String(word)
    : `'${String(word).replaceAll("'", `'\\''`)}'`;
