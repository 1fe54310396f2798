/** What a model is told of each node of a dataset. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dataset } from '@flowgrad/data';
import type { RunConfig } from '@flowgrad/evaluation';

/** One line for the start of a training; undefined where the dataset knows nothing of its nodes. */
export async function inputsLine(
  folder: string,
  { features }: Dataset,
  config: Pick<RunConfig, 'features'>,
): Promise<string | undefined> {
  if (!features) return undefined;
  const columns = `the columns ${(await featureColumns(folder)).join(', ')} of nodes.tsv`;
  const embeddings = config.features?.embeddings === false ? 'alone' : 'and a free embedding';
  return `Inputs of each node: ${columns} ${embeddings}`;
}

/** Every column of nodes.tsv beside the name and the position is a feature. */
async function featureColumns(folder: string): Promise<string[]> {
  const file = await open(join(folder, 'nodes.tsv'));
  try {
    for await (const head of file.readLines()) {
      const names = head.replace(/^\ufeff/, '').split('\t');
      return names.map((name) => name.trim()).filter((name) => !['node', 'x', 'y'].includes(name));
    }
    return [];
  } finally {
    await file.close();
  }
}
