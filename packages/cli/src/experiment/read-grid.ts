/** A grid of runs from a file or from flags, for the commands that take one. */
import type { RunConfig, RunSettings } from '@flowgrad/evaluation';
import { settingFlags, settingsOf } from '../flags/field-flag.ts';
import type { FlagValues } from '../flags/flag.ts';
import { valueFlag } from '../flags/flag.ts';
import { parseGroupOrFile } from '../flags/group.ts';
import { fromFlags } from '../flags/from-flags.ts';
import { parseSeeds, parseWords } from '../flags/lists.ts';
import { parseModels } from '../flags/run-flags.ts';
import { isModule, loadedModules } from '../runs/own-models.ts';
import { UsageError } from '../usage-error.ts';
import { readConfigFile } from './config-file.ts';
import { runsOf } from './grid.ts';

const { seed: _, shuffling: __, ...protocolFlags } = settingFlags;

export const gridFlags = {
  groups: valueFlag({ value: '<a,b,…>', about: 'dataset groups, or JSON files of worlds' }, (text) =>
    parseWords(text).map(parseGroupOrFile),
  ),
  models: valueFlag({ value: '<a,b,…>', about: 'models, and modules that have some' }, parseModelsBeside),
  seeds: valueFlag({ value: '1..5', about: 'seeds of the data (default 1)' }, parseSeeds),
  shufflings: valueFlag({ value: '1..2', about: 'shufflings (default 1)' }, parseSeeds),
  ...protocolFlags,
};

/** Undefined where modules alone are named. */
function parseModelsBeside(text: string): ReturnType<typeof parseModels> | undefined {
  const names = parseWords(text).filter((word) => !isModule(word));
  return names.length === 0 ? undefined : parseModels(names.join(','));
}

/** The runs of what the file holds, or of what the flags say; not both. They are on the datasets, where some are given in place of groups. */
export async function readGrid(
  command: string,
  file: string | undefined,
  flags: FlagValues<typeof gridFlags>,
  datasets?: readonly RunSettings['group'][],
): Promise<RunConfig[]> {
  const { models, seeds, shufflings } = flags;
  const groups = datasets ?? flags.groups;
  const given = {
    ...(groups && { groups }),
    ...(models && { models }),
    ...(seeds && { seeds }),
    ...(shufflings && { shufflings }),
    ...settingsOf(flags),
  };
  if (file !== undefined) {
    const other = Object.keys(given).find((name) => name !== 'groups' || !datasets);
    if (other === undefined)
      return runsOf(command, onDatasets(command, await readConfigFile(command, file), datasets));
    throw new UsageError(`${command}: expected the grid in ${file} or in flags, got both (${other})`);
  }
  if (groups && models) {
    return fromFlags(command, (nameOf) => runsOf(command, given, nameOf), { isGrid: true });
  }
  const noModels = loadedModules().length > 0 ? 'no name of a model behind --models' : 'no --models';
  const missing = [...(groups ? [] : ['no --groups']), ...(models ? [] : [noModels])].join(' and ');
  throw new UsageError(`${command}: expected a configuration file, or --groups and --models, got ${missing}`);
}

/** The grids of a file that names no groups, on the datasets. */
function onDatasets(
  command: string,
  content: unknown,
  datasets: readonly RunSettings['group'][] | undefined,
): unknown {
  if (!datasets) return content;
  const grids = Array.isArray(content) ? (content as unknown[]) : [content];
  return grids.map((grid) => {
    if (typeof grid !== 'object' || grid === null) return grid;
    if ('groups' in grid) throw new UsageError(`${command}: expected groups in the file or --data, got both`);
    return { groups: datasets, ...grid };
  });
}
