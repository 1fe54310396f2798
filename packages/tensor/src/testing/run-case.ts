/** Runs cases on a backend, forward and backward, and sees to it that nothing is left over. */
import { grad } from '../ops/grad/grad.ts';
import { referenceBackend } from '../backends/reference/reference-backend.ts';
import { setBackend } from '../core/backend.ts';
import type { Backend } from '../core/backend.ts';
import type { DataArray, NdArray } from '../core/dtype.ts';
import { scope } from '../core/scope.ts';
import { memory } from '../core/storage.ts';
import type { Tensor } from '../core/tensor.ts';
import { tensor } from '../create/create.ts';
import { add, mul } from '../ops/elementwise/binary.op.ts';
import { sum } from '../ops/reduce/sum.op.ts';
import type { OpCase } from './op-case.ts';

/** What is right: every op's own definition in double precision. */
export const float64 = referenceBackend({ precision: 'float64' });

export function upload({ shape, dtype, data }: NdArray): Tensor {
  return tensor(data, { shape, dtype });
}

/** Runs `fn` on a backend; what it leaves alive there is an error. */
export async function on<T>(backend: Backend, fn: () => T | Promise<T>): Promise<T> {
  const previous = setBackend(backend);
  const before = memory();
  try {
    const result = await scope(async () => fn());
    const after = memory();
    if (after.buffers !== before.buffers || after.bytes !== before.bytes) {
      throw new Error(
        `expected no buffer left over on ${backend.name}, got ${after.buffers - before.buffers} of ${after.bytes - before.bytes} bytes`,
      );
    }
    return result;
  } finally {
    setBackend(previous);
  }
}

export const asList = (made: Tensor | readonly Tensor[]): readonly Tensor[] =>
  Array.isArray(made) ? (made as readonly Tensor[]) : [made as Tensor];

export const outputsOf = (test: OpCase, inputs: readonly Tensor[]): readonly Tensor[] =>
  asList(test.run(inputs));

export const readAll = (tensors: readonly Tensor[]): Promise<DataArray[]> =>
  Promise.all(tensors.map((x) => x.data()));

/** Runs a case and reads its outputs. */
export function forward(backend: Backend, test: OpCase): Promise<DataArray[]> {
  return on(backend, () => readAll(outputsOf(test, test.inputs.map(upload))));
}

/** Runs a case and reads the gradients of its float inputs. */
export function backward(backend: Backend, test: OpCase): Promise<DataArray[]> {
  return on(backend, () => readAll(firstOrder(test.run, test.inputs.map(upload))));
}

export type Run = OpCase['run'];

/** Fixed, uneven weights that turn any output into a scalar without symmetries that hide mistakes. */
function weightsFor(x: Tensor, salt: number): Tensor {
  const data = Float32Array.from({ length: x.size }, (_, i) => Math.sin(1 + i * 1.7 + salt));
  return upload({ shape: x.shape, dtype: 'float32', data });
}

const floats = (tensors: readonly Tensor[]): Tensor[] => tensors.filter((x) => x.dtype === 'float32');

/** One number that depends on every float output. */
export function weightedTotal(tensors: readonly Tensor[]): Tensor {
  return floats(tensors)
    .map((x, k) => sum(mul(x, weightsFor(x, k))))
    .reduce((total, term) => add(total, term));
}

export function firstOrder(run: Run, inputs: readonly Tensor[]): Tensor[] {
  return grad(() => weightedTotal(asList(run(inputs))), floats(inputs));
}

export function secondOrder(run: Run, inputs: readonly Tensor[]): Tensor[] {
  return grad(() => weightedTotal(firstOrder(run, inputs)), floats(inputs));
}
