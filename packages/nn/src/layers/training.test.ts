/** Modes, files and determinism together: what training leaves behind is all that going on needs. */
import { crossEntropy, mean, normal, randomKey, relu, rowIndex, scope, valueAndGrad } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { expect, it } from 'vitest';
import { loadAdam, saveAdam } from '../checkpoint/adam-file.ts';
import { loadParameters, saveParameters } from '../checkpoint/parameters-file.ts';
import { createBatchLoader } from '../data/batch-loader.ts';
import { parameters } from '../module/module.ts';
import { createAdamW } from '../optimisers/adam.ts';
import type { Adam } from '../optimisers/adam.ts';
import { createBatchNorm } from './batch-norm.ts';
import { createDropout } from './dropout.ts';
import { createLinear } from './linear.ts';
import type { Training } from './training.ts';

useReference();

const key = randomKey(2);
const count = 12;

interface Run {
  readonly model: object;
  readonly adam: Adam;
  epoch(this: void, number: number): void;
  logits(this: void): Tensor;
}

function startRun(seed: number): Run {
  const start = randomKey(seed);
  const hidden = createLinear({ in: 3, out: 5, key: start.child('hidden') });
  const norm = createBatchNorm({ d: 5 });
  const dropout = createDropout({ rate: 0.4, key: key.child('dropout') });
  const output = createLinear({ in: 5, out: 2, key: start.child('output') });
  const model = { hidden, norm, output };
  const adam = createAdamW(parameters(model), { learningRate: 0.05, clipNorm: 1 });
  const loader = createBatchLoader(count, { size: 5, key: key.child('batches'), last: 'drop' });
  const apply = (x: Tensor, training?: Training): Tensor =>
    output.apply(dropout.apply(relu(norm.apply(hidden.apply(x), training)), training));
  const epoch = (number: number): void => {
    for (const batch of loader.epoch(number)) {
      scope(() => {
        const x = normal(key.child(String(batch)), [batch.length, 3]);
        const labels = rowIndex(
          batch.map((row) => row % 2),
          2,
        );
        const loss = (): Tensor => mean(crossEntropy(apply(x, { step: adam.step }), labels));
        adam.apply(valueAndGrad(loss).grads);
      });
    }
  };
  return { model, adam, epoch, logits: () => apply(normal(key.child('held'), [4, 3])) };
}

it('goes on from files as if it had not been interrupted, to the bit', async () => {
  const whole = startRun(1);
  for (const number of [0, 1, 2, 3]) whole.epoch(number);

  const first = startRun(1);
  for (const number of [0, 1]) first.epoch(number);
  const files = [await saveParameters(first.model), await saveAdam(first.adam)];
  const second = startRun(9);
  loadParameters(second.model, files[0]);
  loadAdam(second.adam, files[1]);
  for (const number of [2, 3]) second.epoch(number);

  expect(await saveParameters(second.model)).toEqual(await saveParameters(whole.model));
  expect(await second.logits().data()).toEqual(await whole.logits().data());
  expect(await first.logits().data()).not.toEqual(await whole.logits().data());
});

it('evaluates alike however often, and changes nothing by it', async () => {
  const run = startRun(1);
  run.epoch(0);
  const before = await saveParameters(run.model);
  expect(await run.logits().data()).toEqual(await run.logits().data());
  expect(await saveParameters(run.model)).toEqual(before);
});
