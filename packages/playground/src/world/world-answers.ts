/** Makes worlds or reads datasets, and computes what can be known of them without a model. */
import type { Dataset } from '@flowgrad/data';
import { cardOf, expectDataset, isCard } from '@flowgrad/evaluation';
import type { DatasetCard } from '@flowgrad/evaluation';
import { withSelfLoops } from '@flowgrad/graph';
import { isGridDataset } from '@flowgrad/gridworld';
import type { DataFiles } from '../data/data-files.ts';
import type { LayoutNews, WorldCalls, WorldView } from '../protocol/world-protocol.ts';
import { datasetSource, datasetView } from './dataset-answers.ts';
import { gridCeiling, gridSource, gridView, makeGrid } from './grid-answers.ts';

export function worldAnswers(tell: (news: LayoutNews) => void): WorldCalls {
  let present: { readonly dataset: Dataset; readonly seed: number } | undefined;
  /** The dataset that was read last: it is made next, as a rule. */
  let lastRead: Dataset | undefined;
  const presentOne = () => {
    if (!present) throw new Error('world: expected a world to be made first, got none');
    return present;
  };
  const read = async (files: DataFiles): Promise<Dataset> => {
    const { readFiles } = await import('../data/read-files.ts');
    return (lastRead = await readFiles(files));
  };
  const datasetOf = async (card: DatasetCard, files: DataFiles): Promise<Dataset> =>
    lastRead?.sha256 === card.sha256 ? lastRead : expectDataset('world', card, await read(files));
  return {
    read: async ({ files }) => cardOf(await read(files)),
    make: async ({ group, seed, files = {} }) => {
      const dataset = isCard(group) ? await datasetOf(group, files) : makeGrid(group, seed);
      present = { dataset, seed };
      return worldView(dataset);
    },
    layOut: async () => {
      const asked = presentOne();
      const { layOut } = await import('./lay-out.ts');
      return layOut(asked.dataset.graph, { seed: asked.seed, tell, isWanted: () => present === asked });
    },
    lookAt: async ({ source, query }) => {
      const { dataset } = presentOne();
      return isGridDataset(dataset) ? gridSource(dataset, source) : datasetSource(dataset, source, query);
    },
    ceiling: async () => {
      const asked = presentOne();
      const { dataset } = asked;
      return isGridDataset(dataset) ? gridCeiling(dataset, () => present === asked) : undefined;
    },
  };
}

function worldView(dataset: Dataset): WorldView {
  const { graph, steps, examples } = dataset;
  const { senders, receivers } = withSelfLoops(graph);
  return {
    ...{ steps, nodeCount: graph.nodeCount, senders, receivers },
    hasWalks: examples.train.path !== undefined,
    ...(isGridDataset(dataset) ? gridView(dataset) : datasetView(dataset)),
  };
}
