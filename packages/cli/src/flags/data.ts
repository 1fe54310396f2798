/** Dataset folders on the command line: what a run is on in place of a grid world. */
import { expectDataset, isCard } from '@flowgrad/evaluation';
import type { RunConfig } from '@flowgrad/evaluation';
import type { Dataset } from '@flowgrad/data';
import { readDataFolder } from '@flowgrad/data/node';
import { UsageError } from '../usage-error.ts';
import { textFlag } from './flag.ts';

export const dataFlag = {
  data: textFlag({ value: '<folder>', about: 'a dataset folder, of a run that is on one' }),
};

/** The dataset that a stored run is on; undefined of a grid world, for which none may be given. */
export async function datasetFor(
  where: string,
  { group }: Pick<RunConfig, 'group'>,
  folder: string | undefined,
): Promise<Dataset | undefined> {
  if (isCard(group)) {
    return expectDataset(where, group, folder === undefined ? undefined : await readDataFolder(folder));
  }
  if (folder === undefined) return undefined;
  throw new UsageError(`${where}: expected --data with a run on a dataset, got it with one on a grid world`);
}
