import { writeDataset } from '@flowgrad/data';
import { expect, it } from 'vitest';
import * as v from 'valibot';
import type { DataFiles } from '../data/data-files.ts';
import { shippedDatasets } from '../data/shipped.ts';
import { transitDataset } from '../example/transit.ts';
import { worldProtocol } from '../protocol/world-protocol.ts';
import { worldAnswers } from './world-answers.ts';

const transit = transitDataset();
const files: DataFiles = Object.fromEntries(
  Object.entries(writeDataset(transit)).map(([name, text]) => [name, new Blob([text])]),
);
const [{ card }] = shippedDatasets;
const answers = () => worldAnswers(() => undefined);

it('a dataset is shown as its protocol has it, and a source by its own examples', async () => {
  const { make, lookAt, read } = answers();
  expect(await read({ files })).toEqual(card);
  const world = await make({ group: card, seed: 1, files });
  expect(v.is(worldProtocol.make.gives, world)).toBe(true);
  expect(world).toMatchObject({ nodeCount: 146, steps: 10, nodeNames: transit.nodeNames, hasWalks: true });
  expect(world.map).toBeUndefined();

  const source = await lookAt({ source: 5 });
  expect(v.is(worldProtocol.lookAt.gives, source)).toBe(true);
  const ends = Object.values(transit.examples).flatMap(({ sources, destinations }) =>
    [...destinations].filter((_, i) => sources[i] === 5),
  );
  expect(source.rollouts.map((walk) => walk.at(-1)).toSorted()).toEqual(ends.toSorted());
  const count = ends.filter((each) => each === ends[0]).length;
  expect(source.destinations![ends[0]]).toBeCloseTo(count / ends.length, 12);
});

it('files that are not those of the card are refused, and what was made before stays', async () => {
  const { make, lookAt } = answers();
  await make({ group: 'LINE-SZ5-STP2-NDRP-STD0.2', seed: 1 });
  const other = { ...card, sha256: '0'.repeat(64) };
  await expect(make({ group: other, seed: 1, files })).rejects.toThrow(
    'world: expected the dataset transit (SHA-256 000000000000…), on which the run is, got transit (SHA-256 ' +
      `${card.sha256.slice(0, 12)}…), whose files differ`,
  );
  await expect(make({ group: card, seed: 1, files: {} })).resolves.toBeDefined();
  await expect(answers().make({ group: card, seed: 1, files: {} })).rejects.toThrow(
    'manifest.json: expected a file',
  );
  expect((await lookAt({ source: 0 })).source).toBe(0);
});
