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
      "FullGN": "fca64627dc546d0e",
      "FullGN-Mul": "24be80a91d66a000",
      "FullGN-MulMlp": "bbb0a1ce07871d19",
      "FullGN-NoAct": "0f3175aab42daa7b",
      "GAT": "20e4837ad9714d31",
      "GAT-Mul": "2750d082a28038be",
      "GAT-MulMlp": "fe8812ff038f219d",
      "GAT-NoAct": "70eda314d00c03e8",
      "GGNN": "8a0c03dfd5275d18",
      "GGNN-Mul": "591bd0faf900940a",
      "GGNN-MulMlp": "0d6241aabb23bc10",
      "GGNN-NoAct": "fea0ac4e2ba89d9d",
      "RW-Dynamic": "ce57e64f8e861905",
      "RW-Stationary": "5d632184476145a4",
    }
  `);
});
