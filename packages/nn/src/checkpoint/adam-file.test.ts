import {
  memory,
  parameter,
  randomKey,
  scope,
  square,
  sub,
  sum,
  tensor,
  valueAndGrad,
} from '@flowgrad/tensor';
import { describe, expect, it } from 'vitest';
import { createLinear } from '../layers/linear.ts';
import type { Linear } from '../layers/linear.ts';
import { parameters } from '../module/module.ts';
import { createAdam } from '../optimisers/adam.ts';
import type { Adam } from '../optimisers/adam.ts';
import { decodeSafetensors } from '../safetensors/decode-safetensors.ts';
import { encodeSafetensors } from '../safetensors/encode-safetensors.ts';
import type { StoredTensor } from '../safetensors/stored-tensor.ts';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { loadAdam, saveAdam } from './adam-file.ts';
import { loadParameters, saveParameters } from './parameters-file.ts';

useReference();

interface Run {
  readonly layer: Linear;
  readonly adam: Adam;
}
const start = (seed: number): Run => {
  const layer = createLinear({ in: 2, out: 1, key: randomKey(seed) });
  return { layer, adam: createAdam(parameters(layer), { learningRate: 0.1, clipNorm: 1 }) };
};
const train = ({ layer, adam }: Run, steps: number): void => {
  for (let t = 0; t < steps; t++) {
    scope(() => {
      const loss = () => sum(square(sub(layer.apply(tensor([[1, 2]])), 3)));
      adam.apply(valueAndGrad(loss).grads);
    });
  }
};
const end = async ({ layer }: Run): Promise<unknown> => [await layer.w.data(), await layer.b!.data()];

describe('saveAdam and loadAdam', () => {
  it('let a run go on in another as if it had never stopped, to the bit', async () => {
    const whole = start(1);
    train(whole, 9);

    const first = start(1);
    train(first, 4);
    const second = start(2);
    loadParameters(second.layer, await saveParameters(first.layer));
    loadAdam(second.adam, await saveAdam(first.adam));
    expect(second.adam.step).toBe(4);
    train(second, 5);
    expect(await end(second)).toEqual(await end(whole));
  });

  it('write the step and both moments under the parameters’ names', async () => {
    const run = start(1);
    train(run, 3);
    const { tensors } = decodeSafetensors(await saveAdam(run.adam));
    expect([...tensors.keys()]).toEqual(['first.b', 'first.w', 'second.b', 'second.w', 'step']);
    expect(tensors.get('step')).toEqual({ dtype: 'I32', shape: [], data: Int32Array.of(3) });
    expect(tensors.get('second.w')!.shape).toEqual([2, 1]);
    expect(tensors.get('second.w')!.data.every((v) => v > 0)).toBe(true);
  });

  it('carry parameters that the other file does not have', async () => {
    const [run, other] = [start(1), start(2)];
    train(run, 2);
    const bytes = await saveAdam(run.adam, { parameters: parameters(run.layer) });
    expect([...decodeSafetensors(bytes).tensors.keys()]).toContain('parameter.w');
    loadAdam(other.adam, bytes, { parameters: parameters(other.layer) });
    expect(await end(other)).toEqual(await end(run));
    expect(() => {
      loadAdam(other.adam, bytes);
    }).toThrow("unexpected 'parameter.b', 'parameter.w'");
  });

  it('leave nothing behind', async () => {
    const run = start(1);
    train(run, 1);
    const before = memory();
    loadAdam(run.adam, await saveAdam(run.adam));
    expect(memory()).toEqual(before);
  });
});

describe('loadAdam', () => {
  it('names what does not fit, and changes nothing', async () => {
    const run = start(1);
    train(run, 2);
    const other = createAdam(new Map([['w', parameter(tensor([[1, 2, 3]]))]]), { learningRate: 1 });
    const bytes = await saveAdam(other);
    const load = (): void => {
      loadAdam(run.adam, bytes);
    };
    expect(load).toThrow(
      "loadAdam: expected the tensors it loads into, got a file with no 'first.b', 'second.b'; 'first.w': expected " +
        "F32 [2, 1], got F32 [1, 3]; 'second.w': expected F32 [2, 1], got F32 [1, 3]",
    );
    expect(run.adam.step).toBe(2);
  });

  it.for<[string, StoredTensor | undefined, string]>([
    ['none', undefined, 'none'],
    ['a negative one', { dtype: 'I32', shape: [], data: Int32Array.of(-1) }, 'I32 [] of -1'],
    ['two', { dtype: 'I32', shape: [2], data: Int32Array.of(1, 2) }, 'I32 [2] of 1'],
    ['a float', { dtype: 'F32', shape: [], data: Float32Array.of(1.5) }, 'F32 [] of 1.5'],
  ])('wants one step: %s', async ([, step, got]) => {
    const { adam } = start(1);
    const tensors = new Map(decodeSafetensors(await saveAdam(adam)).tensors);
    tensors.delete('step');
    if (step) tensors.set('step', step);
    expect(() => {
      loadAdam(adam, encodeSafetensors(tensors));
    }).toThrow(`loadAdam: tensor 'step': expected a scalar I32 ≥ 0, got ${got}`);
  });
});
