/** Tensors that a module keeps up to date by itself, and that no optimiser trains: running statistics. */
import { parameter } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';

const made = new WeakSet<Tensor>();

/**
 * A tensor that belongs to a module like a parameter, but is not trained: a copy of `initial`, overwritten with
 * `assign`. `parameters` passes over it, so optimisers do; `saveParameters` and `loadParameters` carry it.
 * Read it through `stopGradient`, as no gradient is wanted for it.
 */
export function state(initial: Tensor): Tensor {
  const tensor = parameter(initial);
  made.add(tensor);
  return tensor;
}

/** Whether a tensor was made by `state`. */
export function isState(tensor: Tensor): boolean {
  return made.has(tensor);
}
