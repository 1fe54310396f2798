import { toText } from '@flowgrad/schema';
import { isCard } from '../run/dataset-card.ts';
import { resolveRun } from '../run/run-config.ts';
import type { RunConfig } from '../run/run-config.ts';
import { flagOf, flatSettings, seedFields } from '../run/run-fields.ts';

/** The command that trains a run again: what differs from the defaults, and both seeds. */
export function reproduceCommand(config: RunConfig): string {
  return ['flowgrad train', ...flagsOf(config).map(quoted)].join(' ');
}

function flagsOf(config: RunConfig): string[] {
  const { group, model, module } = config;
  // A world of one's own has no name that says what it is.
  if (typeof group !== 'string' && !isCard(group)) return ['--settings', JSON.stringify(config)];
  const defaults: Readonly<Record<string, unknown>> = flatSettings(resolveRun({ group, model }));
  const said = Object.entries(flatSettings(config)).filter(
    ([name, value]) => Object.hasOwn(seedFields, name) || toText(value) !== toText(defaults[name]),
  );
  return [
    // Where imports put it, unless told otherwise.
    ...(isCard(group) ? ['--data', `data/${group.name}`] : ['--group', group]),
    ...(module ? ['--models', `./${module.file}`] : []),
    ...['--model', model],
    ...said.flatMap(([name, value]) => [`--${flagOf(name)}`, toText(value)]),
  ];
}

/** A value that a shell would read otherwise is quoted. */
const quoted = (word: string): string =>
  /^[\w.,+:=/-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
