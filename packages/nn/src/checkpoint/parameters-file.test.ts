import {
  add,
  assign,
  memory,
  parameter,
  randomKey,
  referenceBackend,
  setBackend,
  tensor,
  zeros,
} from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { describe, expect, it } from 'vitest';
import { createGruCell } from '../layers/gru-cell.ts';
import { createLinear } from '../layers/linear.ts';
import { disposeModule, parameters } from '../module/module.ts';
import { state } from '../module/state.ts';
import { decodeSafetensors } from '../safetensors/decode-safetensors.ts';
import { encodeSafetensors } from '../safetensors/encode-safetensors.ts';
import type { StoredTensor } from '../safetensors/stored-tensor.ts';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { CheckpointError } from './checkpoint-error.ts';
import { loadParameters, saveParameters } from './parameters-file.ts';

useReference();

interface Model {
  readonly u: Tensor;
  readonly init: ReturnType<typeof createLinear>;
  readonly gru: ReturnType<typeof createGruCell>;
}
const model = (seed: number): Model => {
  const key = randomKey(seed);
  return {
    u: parameter(tensor([[seed, -0, 1e-40]])),
    init: createLinear({ in: 3, out: 2, key: key.child('init') }),
    gru: createGruCell({ in: 1, d: 2, key: key.child('gru') }),
  };
};
const values = async (module: object): Promise<Record<string, unknown>> => {
  const read = [...parameters(module)].map(async ([name, p]) => [name, await p.toArray()] as const);
  return Object.fromEntries(await Promise.all(read));
};
const f32 = (shape: number[]): StoredTensor => ({
  dtype: 'F32',
  shape,
  data: new Float32Array(shape.reduce((a, b) => a * b, 1)),
});

describe('saveParameters and loadParameters', () => {
  it('carry every bit from one module to another', async () => {
    const [from, to] = [model(1), model(2)];
    expect(await values(to)).not.toEqual(await values(from));
    loadParameters(to, await saveParameters(from));
    expect(await values(to)).toEqual(await values(from));
  });

  it('write dotted names, F32 and the metadata, in the same bytes each time', async () => {
    const from = model(1);
    const bytes = await saveParameters(from, { metadata: { model: 'GGNN' } });
    const { tensors, metadata } = decodeSafetensors(bytes);
    expect([...tensors].map(([name, { dtype, shape }]) => `${name} ${dtype} ${shape.join('×')}`)).toEqual([
      'gru.cand.b F32 2',
      'gru.cand.w F32 3×2',
      'gru.gate.b F32 4',
      'gru.gate.w F32 3×4',
      'init.b F32 2',
      'init.w F32 3×2',
      'u F32 1×3',
    ]);
    expect(metadata.get('model')).toBe('GGNN');
    expect(await saveParameters(from, { metadata: { model: 'GGNN' } })).toEqual(bytes);
  });

  it('save the values of the time of the call, whatever training does meanwhile', async () => {
    const from = { a: parameter(tensor([1])), b: parameter(tensor([2])) };
    const saving = saveParameters(from);
    assign(from.a, tensor([10]));
    disposeModule({ b: from.b });
    const { tensors } = decodeSafetensors(await saving);
    expect([tensors.get('a')!.data[0], tensors.get('b')!.data[0]]).toEqual([1, 2]);
  });

  it('write a shared parameter once and restore the sharing', async () => {
    const tied = (value: number): { left: Tensor; right: Tensor } => {
      const shared = parameter(tensor([value]));
      return { left: shared, right: shared };
    };
    const [from, to] = [tied(1), tied(2)];
    const bytes = await saveParameters(from);
    expect([...decodeSafetensors(bytes).tensors.keys()]).toEqual(['left']);
    loadParameters(to, bytes);
    expect(await to.right.toArray()).toEqual([1]);
  });

  it('carry state too, and refuse a file without it', async () => {
    const make = (value: number): { w: Tensor; norm: { mean: Tensor } } => ({
      w: parameter(tensor([value])),
      norm: { mean: state(tensor([value + 1])) },
    });
    const [from, to] = [make(1), make(5)];
    loadParameters(to, await saveParameters(from));
    expect(await to.norm.mean.toArray()).toEqual([2]);
    const without = await saveParameters({ w: from.w });
    expect(() => {
      loadParameters(to, without);
    }).toThrow("got a file with no 'norm.mean'");
  });

  it('take a module without parameters', async () => {
    loadParameters({}, await saveParameters({}));
  });

  it('keep float64 values of the float64 reference, which float32 rounds', async () => {
    const previous = setBackend(referenceBackend({ precision: 'float64' }));
    const exact = { w: parameter(tensor(Float64Array.of(0.1))) };
    const copy = { w: parameter(zeros([1])) };
    setBackend(previous);
    const bytes = await saveParameters(exact);
    expect(decodeSafetensors(bytes).tensors.get('w')!.dtype).toBe('F64');
    const rounded = { w: parameter(zeros([1])) };
    loadParameters(rounded, bytes);
    expect(await rounded.w.toArray()).toEqual([Math.fround(0.1)]);

    setBackend(copy.w.backend);
    loadParameters(copy, bytes);
    setBackend(previous);
    expect(await copy.w.toArray()).toEqual([0.1]);
  });

  it('leave nothing behind', async () => {
    const [from, to] = [model(1), model(2)];
    const before = memory();
    loadParameters(to, await saveParameters(from));
    expect(memory()).toEqual(before);
  });

  it('change parameters in place, so that who holds them sees it', async () => {
    const layer = createLinear({ in: 1, out: 1, key: randomKey(1) });
    const { w } = layer;
    const bytes = await saveParameters({ w: parameter(tensor([[3]])), b: parameter(tensor([1])) });
    loadParameters(layer, bytes);
    expect(await add(layer.apply(tensor([[2]])), 0).toArray()).toEqual([[7]]);
    expect(layer.w).toBe(w);
  });

  it('refuse options they do not know', async () => {
    // @ts-expect-error: misspelt.
    await expect(saveParameters({}, { meta: {} })).rejects.toThrow(
      "saveParameters: expected options among metadata, got 'meta'",
    );
  });
});

describe('loadParameters', () => {
  it('names all that is missing, unexpected or wrongly shaped at once, and changes nothing', async () => {
    const to = model(2);
    const before = await values(to);
    const bytes = encodeSafetensors({
      u: f32([3, 1]),
      'init.w': { dtype: 'I32', shape: [3, 2], data: new Int32Array(6) },
      'init.b': f32([2]),
      'gru.gate.w': f32([3, 4]),
      'gru.gate.b': f32([4]),
      'gru.candidate.w': f32([3, 2]),
      extra: f32([]),
    });
    expect(() => {
      loadParameters(to, bytes);
    }).toThrow(
      new CheckpointError('loadParameters', {
        missing: ['gru.cand.w', 'gru.cand.b'],
        unexpected: ['extra', 'gru.candidate.w'],
        mismatched: [
          "'u': expected F32 [1, 3], got F32 [3, 1]",
          "'init.w': expected F32 [3, 2], got I32 [3, 2]",
        ],
      }),
    );
    expect(await values(to)).toEqual(before);
  });

  it('says it in one line', () => {
    const error = new CheckpointError('loadParameters', {
      missing: ['a', 'b'],
      unexpected: Array.from({ length: 12 }, (_, i) => `x${i}`),
      mismatched: ["'u': expected F32 [1], got F32 [2]"],
    });
    expect(error.message).toBe(
      "loadParameters: expected the tensors it loads into, got a file with no 'a', 'b'; unexpected 'x0', 'x1', " +
        "'x2', 'x3', 'x4', 'x5', 'x6', 'x7', 'x8', 'x9' and 2 more; 'u': expected F32 [1], got F32 [2]",
    );
    const many = Array.from({ length: 13 }, (_, i) => `m${i}`);
    expect(new CheckpointError('x', { missing: [], unexpected: [], mismatched: many }).message).toMatch(
      /m9; 3 more that differ$/,
    );
  });

  it('passes on what is wrong with the file itself', () => {
    expect(() => {
      loadParameters({}, new Uint8Array(3));
    }).toThrow('decodeSafetensors: expected at least 8 bytes, got 3');
  });
});
