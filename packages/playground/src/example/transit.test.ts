import { writeDataset } from '@flowgrad/data';
import { readDataFolder } from '@flowgrad/data/node';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { transitDataset } from './transit.ts';

const folder = fileURLToPath(new URL('../../public/transit', import.meta.url));

/** `npx vitest run src/example -u` writes them again. */
it('the files are those that the generator makes', async () => {
  for (const [name, text] of Object.entries(writeDataset(transitDataset()))) {
    await expect(text).toMatchFileSnapshot(`${folder}/${name}`);
  }
});

it('the folder reads as the network that was made', async () => {
  const [read, made] = [await readDataFolder(folder), transitDataset()];
  expect(read.graph).toEqual(made.graph);
  expect(read.nodeNames).toEqual(made.nodeNames);
  expect(read.examples.test.path!(5)).toEqual(made.examples.test.path!(5));
});
