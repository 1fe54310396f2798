/** What the paper's models make of a grid world, to the last bit: what is changed around them must not change it. */
import { createHash } from 'node:crypto';
import { paperModelNames } from '@flowgrad/models';
import { parameters } from '@flowgrad/nn';
import { setBackend, wasmBackend } from '@flowgrad/tensor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { evaluateSplit } from './evaluate.ts';
import { createTrainer } from './trainer.ts';

beforeAll(async () => void setBackend(await wasmBackend({ simd: 'plain' })));
afterAll(() => void setBackend(undefined));

/** Of losses, parameters and metrics after three steps. */
async function fingerprint(model: (typeof paperModelNames)[number]): Promise<string> {
  const trainer = createTrainer({
    ...{ group: 'HISTORY-SZ6-STP4-NDRP-STD0.5', model, seed: 3, shuffling: 2 },
    ...{ options: { d: 10 }, features: { frequencies: 2 }, batch: 8, learningRates: [0.02] },
  });
  const hash = createHash('sha256');
  for (let step = 0; step < 3; step++) hash.update(Float64Array.of((await trainer.step()).loss));
  for (const [name, value] of parameters(trainer.model)) hash.update(name).update(await value.data());
  hash.update(JSON.stringify(await evaluateSplit(trainer, 'test')));
  trainer.dispose();
  return hash.digest('hex').slice(0, 16);
}

test('the paper’s models give the bits that they always gave on a grid world', async () => {
  const found: Record<string, string> = {};
  for (const model of paperModelNames) found[model] = await fingerprint(model);
  expect(found).toMatchInlineSnapshot(`
    {
      "FullGN": "7363eb7840fdaf35",
      "FullGN-Mul": "6c831ac4ddddccc9",
      "FullGN-MulMlp": "4f5cd3cb420f288a",
      "FullGN-NoAct": "f0c420a584ba9158",
      "GAT": "5c6c081c798e77a0",
      "GAT-Mul": "37d6a681856119a2",
      "GAT-MulMlp": "3d3e848ba687e474",
      "GAT-NoAct": "a6c561225425802e",
      "GGNN": "d49f1d3c62a1f363",
      "GGNN-Mul": "c78173c6e3950f28",
      "GGNN-MulMlp": "0b6666bae8b73f0d",
      "GGNN-NoAct": "ed32983e5e62ace0",
      "RW-Dynamic": "45d417dac95f5115",
      "RW-Stationary": "ce3c222b96a3468a",
    }
  `);
});
