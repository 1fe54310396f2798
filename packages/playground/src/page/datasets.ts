/** The datasets that runs can be on: those that were opened, and those that come with the page. */
import type { DatasetCard } from '@flowgrad/evaluation';
import type { DataFiles } from '../data/data-files.ts';
import { MissingDataError } from '../data/missing-data-error.ts';
import { shippedDatasets } from '../data/shipped.ts';
import type { ShippedDataset } from '../data/shipped.ts';
import type { Workers } from './workers.ts';

export interface Datasets {
  /** Reads a dataset and keeps it. With a mistake in it nothing changes but that the error is raised. */
  open(this: void, files: DataFiles): Promise<DatasetCard>;
  /** Of those that were opened, the latest last. */
  cards(this: void): readonly DatasetCard[];
  isKnown(this: void, card: DatasetCard): boolean;
  /** Fetched where it comes with the page. */
  filesOf(this: void, card: DatasetCard): Promise<DataFiles>;
}

export function createDatasets({ world }: Workers): Datasets {
  const opened = new Map<string, { readonly card: DatasetCard; readonly files: DataFiles }>();
  const shippedOf = ({ sha256 }: DatasetCard): ShippedDataset | undefined =>
    shippedDatasets.find(({ card }) => card.sha256 === sha256);
  return {
    open: async (files) => {
      const card = await world('read', { files });
      if (!shippedOf(card)) opened.set(card.sha256, { card, files });
      return card;
    },
    cards: () => Array.from(opened.values(), ({ card }) => card),
    isKnown: (card) => opened.has(card.sha256) || shippedOf(card) !== undefined,
    filesOf: async (card) => {
      const shipped = shippedOf(card);
      const files = opened.get(card.sha256)?.files ?? (shipped && (await fetchFiles(shipped)));
      if (!files) throw new MissingDataError('open', card.name, card.sha256);
      return files;
    },
  };
}

async function fetchFiles({ card, files }: ShippedDataset): Promise<DataFiles> {
  const fetched = files.map(async (name) => {
    const path = `${card.name}/${name}`;
    const answer = await fetch(path);
    if (!answer.ok) throw new Error(`open: expected ${path} beside the page, got status ${answer.status}`);
    return [name, await answer.blob()] as const;
  });
  return Object.fromEntries(await Promise.all(fetched));
}
