/** Type tests: these lines compile or fail to compile as marked; nothing runs. */
import type { RandomKey, RowIndex, Tensor } from '@flowgrad/tensor';
import {
  createAdam,
  createBatchLoader,
  createDropout,
  createEarlyStopping,
  createEmbedding,
  createLinear,
  createTypedLinear,
  encodeSafetensors,
} from './index.ts';
import type { Schedule, StoredTensor } from './index.ts';

declare const key: RandomKey;
declare const x: Tensor;
declare const types: RowIndex;
declare const stored: StoredTensor;
declare const byName: ReadonlyMap<string, Tensor>;

/** The dtype tells which array holds the values. */
export const floats: Float32Array | undefined = stored.dtype === 'F32' ? stored.data : undefined;

// @ts-expect-error: without asking for the dtype, the array may be another.
export const unasked: Float32Array = stored.data;

// @ts-expect-error: a layer is started from a key.
createLinear({ in: 2, out: 3 });

// @ts-expect-error: a misspelt option.
createEmbedding({ count: 2, d: 3, key, width: 3 });

// @ts-expect-error: a layer by type asks for the types.
createTypedLinear({ types: 9, in: 2, out: 3, key }).apply(x);

// @ts-expect-error: a layer may have been made without bias.
export const bias: Tensor = createTypedLinear({ types: 9, in: 2, out: 3, key }).b;

createTypedLinear({ types: 9, in: 2, out: 3, key, b: false }).apply(x, types);

// @ts-expect-error: Adam wants a learning rate.
createAdam(byName, {});

export const halving: Schedule = ({ step }) => 0.1 / step;

// @ts-expect-error: metadata is text.
encodeSafetensors({}, { epoch: 3 });

// @ts-expect-error: a mode is said by its step.
createDropout({ rate: 0.5, key }).apply(x, { training: true });

// @ts-expect-error: which way is better is never guessed.
createEarlyStopping({ patience: 3 });

/** Batches are of the kind of what they are made of. */
export const floatBatches: Iterable<Float32Array> = createBatchLoader(new Float32Array(8), { size: 2 }).epoch(
  0,
);
export const textBatches: Iterable<string[]> = createBatchLoader(['a', 'b'], { size: 2 }).epoch(0);
