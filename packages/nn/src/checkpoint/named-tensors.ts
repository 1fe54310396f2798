/** Tensors by name, to and from what a file holds. */
import { assign, scope, tensor } from '@flowgrad/tensor';
import type { DataArray, Shape, Tensor } from '@flowgrad/tensor';
import { showName } from '../safetensors/safetensors-error.ts';
import type { StoredTensor } from '../safetensors/stored-tensor.ts';
import { sameShape, showShape } from '../shape.ts';
import { CheckpointError } from './checkpoint-error.ts';

/** The values at the time of the call: all reads start at once, so training may go on while they arrive. */
export async function readNamed(named: ReadonlyMap<string, Tensor>): Promise<Map<string, StoredTensor>> {
  const reads = [...named].map(async ([name, value]): Promise<[string, StoredTensor]> => {
    return [name, toStored(value.shape, await value.data())];
  });
  return new Map(await Promise.all(reads));
}

/** F64 comes only from the float64 reference backend, whose values a float32 file would round. */
function toStored(shape: Shape, data: DataArray): StoredTensor {
  if (data instanceof Float64Array) return { dtype: 'F64', shape, data };
  if (data instanceof Int32Array) return { dtype: 'I32', shape, data };
  return { dtype: 'F32', shape, data };
}

/** Overwrites every tensor with the stored one of its name; raises, and changes nothing, unless all of them fit. */
export function assignNamed(
  where: string,
  named: ReadonlyMap<string, Tensor>,
  stored: ReadonlyMap<string, StoredTensor>,
): void {
  const missing = [...named.keys()].filter((name) => !stored.has(name));
  const unexpected = [...stored.keys()].filter((name) => !named.has(name));
  const mismatched = [...named].flatMap(([name, target]) => {
    const source = stored.get(name);
    return source && !fits(target, source) ? [showMismatch(name, target, source)] : [];
  });
  if (missing.length + unexpected.length + mismatched.length > 0) {
    throw new CheckpointError(where, { missing, unexpected, mismatched });
  }
  scope(() => {
    for (const [name, target] of named) {
      const { data, shape } = stored.get(name)!;
      assign(target, tensor(data as DataArray, { shape, dtype: 'float32' }));
    }
  }, where);
}

/** A float32 parameter takes F64 too, rounded as its backend stores it. */
function fits(target: Tensor, { dtype, shape }: StoredTensor): boolean {
  return (dtype === 'F32' || dtype === 'F64') && sameShape(shape, target.shape);
}

function showMismatch(name: string, target: Tensor, { dtype, shape }: StoredTensor): string {
  return `${showName(name)}: expected F32 ${showShape(target.shape)}, got ${dtype} ${showShape(shape)}`;
}
