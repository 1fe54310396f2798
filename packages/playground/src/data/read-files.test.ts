import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readDataFolder } from '@flowgrad/data/node';
import { cardOf } from '@flowgrad/evaluation';
import { expect, it } from 'vitest';
import type { DataFiles } from './data-files.ts';
import { mostDrawn, readFiles } from './read-files.ts';
import { shippedDatasets } from './shipped.ts';

it.for(shippedDatasets)(
  '$card.name has the card that the page knows, here and in Node',
  async ({ card, files }) => {
    const folder = fileURLToPath(new URL(`../../public/${card.name}`, import.meta.url));
    const entries = files.map(
      async (name) => [name, new Blob([await readFile(`${folder}/${name}`)])] as const,
    );
    const read = await readFiles(Object.fromEntries(await Promise.all(entries)));
    expect(cardOf(read)).toEqual(card);
    expect(cardOf(await readDataFolder(folder))).toEqual(card);
  },
);

const files = (edges: string, nodes: number): DataFiles => ({
  'manifest.json': new Blob([
    JSON.stringify({ format: 'flowgrad-dataset', version: 1, name: 'x', steps: 1, nodes }),
  ]),
  'edges.tsv': new Blob([`sender\treceiver\n${edges}`]),
  'examples.tsv': new Blob(['split\tsource\tdestination\ntrain\t0\t1\nvalid\t0\t1\ntest\t0\t1\n']),
});

it('a mistake is said with file and line', async () => {
  await expect(readFiles(files('0\t1\n1\t7\n', 2))).rejects.toThrow(
    "edges.tsv:3: expected a node as a number in 0..1, got '7'",
  );
});

it('what is too large to draw is refused, with what takes it', async () => {
  const count = mostDrawn.nodes + 1;
  const edges = Array.from({ length: count - 1 }, (_, node) => `${node}\t${node + 1}\n`).join('');
  await expect(readFiles(files(edges, count))).rejects.toThrow(
    'open: expected at most 20000 nodes and 200000 edges, got 20001 and 20000 in x (flowgrad train --data takes more)',
  );
});
