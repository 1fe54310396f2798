/** A run that goes on keeps its settings: flags may repeat them, and nothing else. */
import { flagOf, flatSettings, isCard, runFields, worldName } from '@flowgrad/evaluation';
import type { RunConfig, RunSettings, SettingName } from '@flowgrad/evaluation';
import { toText } from '@flowgrad/schema';
import type { Field } from '@flowgrad/schema';
import { UsageError } from '../usage-error.ts';

const names = Object.keys(runFields) as SettingName[];

/** Throws unless `asked` says of the run in the folder what that is. What `asked` leaves out is as it is there. */
export function expectSameSettings(folder: string, there: RunConfig, asked: Partial<RunSettings>): void {
  const [before, now] = [flatSettings(there), flatSettings(asked)];
  const different = names.filter((name) => {
    if (now[name] === undefined) return false;
    return toText(now[name]) !== toText(before[name] ?? (runFields[name] as Field).default);
  });
  const has: string[] = different.map((name) => flagText(name, before[name]));
  const got: string[] = different.map((name) => flagText(name, now[name]));
  if (asked.model !== undefined && asked.model !== there.model) {
    has.unshift(`--model ${there.model}`);
    got.unshift(`--model ${asked.model}`);
  }
  if (asked.group !== undefined && JSON.stringify(asked.group) !== JSON.stringify(there.group)) {
    has.unshift(placeText(there.group));
    got.unshift(placeText(asked.group));
  }
  if (got.length === 0) return;
  const why = different.includes('epochs')
    ? 'the epochs of a run are fixed, as its learning rates go by them'
    : 'the settings of a run are fixed';
  throw new UsageError(
    `train: expected the settings of the run in ${folder}, ${has.join(' ')}, got ${got.join(' ')} ` +
      `(${why}; without --resume and with another --out these begin a run of their own)`,
  );
}

const flagText = (name: SettingName, value: unknown): string =>
  value === undefined ? `no --${flagOf(name)}` : `--${flagOf(name)} ${toText(value)}`;

const placeText = (group: RunConfig['group']): string =>
  isCard(group)
    ? `--data ${group.name} (SHA-256 ${group.sha256.slice(0, 12)}…)`
    : `--group ${worldName({ group })}`;
