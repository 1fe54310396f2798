/** Datasets that come with the page, in `public`. A link names them by their folder. */
import type { DatasetFile } from '@flowgrad/data';
import type { DatasetCard } from '@flowgrad/evaluation';

export interface ShippedDataset {
  readonly card: DatasetCard;
  readonly label: string;
  readonly files: readonly DatasetFile[];
}

export const shippedDatasets: readonly ShippedDataset[] = [
  {
    label: 'Transit network',
    files: ['manifest.json', 'nodes.tsv', 'edges.tsv', 'examples.tsv'],
    card: {
      name: 'transit',
      sha256: 'd2b43764e82b9f1ab3777ae8dcf716dcd5b8e1fbfa7e1651e0863231b0f4f5a2',
      nodes: 146,
      edgeTypes: 14,
      queries: 0,
      steps: 10,
    },
  },
];
