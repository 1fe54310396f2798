/** The dataset that a run is tied to, where it is no grid world: what its numbers depend on is the content of its files. */
import type { Dataset } from '@flowgrad/data';
import { fieldSchema, record, valueOf } from '@flowgrad/schema';
import type * as v from 'valibot';

const count = (about: string, least: number) =>
  fieldSchema({ kind: 'integer', least, most: 2 ** 31 - 1, about });
const isName = (name: unknown): boolean =>
  typeof name === 'string' && /^(?!\.+$)[^\u0000-\u001f\u007f]{1,100}$/.test(name);

export const isSha256 = (sum: unknown): boolean => typeof sum === 'string' && /^[0-9a-f]{64}$/.test(sum);

export const cardSchema = record({
  name: valueOf<string>('to be 1..100 characters, none of them a control character', isName),
  sha256: valueOf<string>('to be a SHA-256', isSha256),
  nodes: count('how many there are', 1),
  edgeTypes: count('without that of self-loops', 1),
  queries: count('what can be asked; 0 where nothing is', 0),
  steps: count('how many a model takes', 1),
});

/** What says which dataset a run is on: its name, the hash of its files, and its sizes. */
export type DatasetCard = Readonly<v.InferOutput<typeof cardSchema>>;

/** The card of a dataset that was read from a folder. */
export function cardOf({ name, sha256, graph, queryNames, steps }: Dataset): DatasetCard {
  if (sha256 === undefined) {
    throw new RangeError(
      `run: expected a dataset with the hash of its files, got ${name} without (readDataFolder)`,
    );
  }
  const { nodeCount: nodes, edgeTypeCount: edgeTypes } = graph;
  return { name, sha256, nodes, edgeTypes, queries: queryNames?.length ?? 0, steps };
}

/** Whether what a run is on is a dataset, and not a world. */
export const isCard = (group: unknown): group is DatasetCard =>
  typeof group === 'object' && group !== null && 'sha256' in group;

/** Throws unless it is the very dataset that the card is of. */
export function expectDataset(where: string, card: DatasetCard, dataset: Dataset | undefined): Dataset {
  const of = `${card.name} (SHA-256 ${card.sha256.slice(0, 12)}…)`;
  if (!dataset) {
    throw new Error(`${where}: expected the dataset ${of}, got none (--data <folder> names it)`);
  }
  if (dataset.sha256 !== card.sha256) {
    const got = `${dataset.name} (SHA-256 ${dataset.sha256?.slice(0, 12) ?? 'unknown'}…)`;
    throw new Error(
      `${where}: expected the dataset ${of}, on which the run is, got ${got}, whose files differ`,
    );
  }
  return dataset;
}
