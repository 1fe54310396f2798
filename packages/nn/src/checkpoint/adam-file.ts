/** An optimiser's state as a safetensors file, to lie beside that of the parameters. */
import { rejectUnknownOptions } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import type { Adam } from '../optimisers/adam.ts';
import { decodeSafetensors } from '../safetensors/decode-safetensors.ts';
import { encodeSafetensors } from '../safetensors/encode-safetensors.ts';
import { SafetensorsError } from '../safetensors/safetensors-error.ts';
import type { StoredTensor } from '../safetensors/stored-tensor.ts';
import { assignNamed, readNamed } from './named-tensors.ts';

const stepName = 'step';

/** What lies in the file beside the optimiser's own. */
export interface AdamFileOptions {
  /** The parameters that it trains, by name, where the file of the parameters has others: their running means, for example. */
  readonly parameters?: ReadonlyMap<string, Tensor>;
}

/**
 * `step` (I32, a scalar) and for each parameter `first.<name>` and `second.<name>`, as they are at the time of the call;
 * tables are caught up. Parameters that are given are there as `parameter.<name>`.
 */
export async function saveAdam(adam: Adam, options: AdamFileOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
  adam.catchUp();
  const step: StoredTensor = { dtype: 'I32', shape: [], data: Int32Array.of(adam.step) };
  const moments = await readNamed(tensorsOf('saveAdam', adam, options));
  return encodeSafetensors(moments.set(stepName, step));
}

/** Sets the step, the moments and the parameters that are given to those of a file, which must have just these; else nothing changes. */
export function loadAdam(adam: Adam, bytes: Uint8Array, options: AdamFileOptions = {}): void {
  const tensors = new Map(decodeSafetensors(bytes).tensors);
  const step = readStep(tensors.get(stepName));
  tensors.delete(stepName);
  assignNamed('loadAdam', tensorsOf('loadAdam', adam, options), tensors);
  adam.step = step;
}

function tensorsOf(where: string, { moments }: Adam, options: AdamFileOptions): Map<string, Tensor> {
  rejectUnknownOptions(where, options, ['parameters']);
  const { parameters = new Map<string, Tensor>() } = options;
  return new Map([
    ...[...moments].map(([name, { first }]): [string, Tensor] => [`first.${name}`, first]),
    ...[...moments].map(([name, { second }]): [string, Tensor] => [`second.${name}`, second]),
    ...[...parameters].map(([name, p]): [string, Tensor] => [`parameter.${name}`, p]),
  ]);
}

function readStep(stored: StoredTensor | undefined): number {
  if (stored?.dtype === 'I32' && stored.shape.length === 0 && stored.data[0] >= 0) return stored.data[0];
  const got = stored ? `${stored.dtype} [${stored.shape.join(', ')}] of ${stored.data[0]}` : 'none';
  throw new SafetensorsError('loadAdam', `expected a scalar I32 ≥ 0, got ${got}`, stepName);
}
