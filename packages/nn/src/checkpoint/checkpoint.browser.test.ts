/** The library in a page: trained, saved and loaded there, and read from memory that threads share. */
import { mean, randomKey, square, sub, tensor, valueAndGrad } from '@flowgrad/tensor';
import { expect, inject, it } from 'vitest';
import { createLinear } from '../layers/linear.ts';
import { parameters } from '../module/module.ts';
import { createAdam } from '../optimisers/adam.ts';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { loadParameters, saveParameters } from './parameters-file.ts';

useReference();

async function trainedFile(): Promise<{ readonly answer: unknown; readonly file: Uint8Array }> {
  const layer = createLinear({ in: 2, out: 1, key: randomKey(1) });
  const adam = createAdam(parameters(layer), { learningRate: 0.1, clipNorm: 1 });
  const x = tensor([[1, 2]]);
  for (let t = 0; t < 3; t++) adam.apply(valueAndGrad(() => mean(square(sub(layer.apply(x), 1)))).grads);
  return { answer: await layer.apply(x).toArray(), file: await saveParameters(layer) };
}

async function answerFrom(file: Uint8Array): Promise<unknown> {
  const layer = createLinear({ in: 2, out: 1, key: randomKey(2) });
  loadParameters(layer, file);
  return layer.apply(tensor([[1, 2]])).toArray();
}

it('trains, saves and loads', async () => {
  const { answer, file } = await trainedFile();
  expect(await answerFrom(file)).toEqual(answer);
});

if (inject('isolated')) {
  it('loads a file that lies in shared memory', async () => {
    const { answer, file } = await trainedFile();
    const shared = new Uint8Array(new SharedArrayBuffer(file.length));
    shared.set(file);
    expect(await answerFrom(shared)).toEqual(answer);
  });
}
