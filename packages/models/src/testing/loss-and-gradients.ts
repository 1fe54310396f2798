import type { Plan } from '@flowgrad/graph';
import { parameters } from '@flowgrad/nn';
import { valueAndGrad } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { expect } from 'vitest';
import type { Model } from '../model/model.ts';
import { relativeError } from './relative-error.ts';

/** Values by name. */
export type Numbers = Readonly<Record<string, ArrayLike<number>>>;

export async function readAll(tensors: Readonly<Record<string, Tensor>>): Promise<Numbers> {
  const entries = Object.entries(tensors).map(async ([name, x]) => [name, await x.data()] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** `loss`, and the gradient of every parameter under its name. */
export function lossAndGradients(model: Model, plan: Plan): Promise<Numbers> {
  const named = [...parameters(model)];
  const { value, grads } = valueAndGrad(
    () => model.loss(plan),
    named.map(([, p]) => p),
  );
  return readAll({ loss: value, ...Object.fromEntries(named.map(([name, p]) => [name, grads.get(p)!])) });
}

export interface Closeness {
  /** The largest difference, relative to the largest value. */
  readonly tolerance: number;
  /** Values below this count as this large: a sum that cancels leaves rounding errors of its terms. 0 unless given. */
  readonly floor?: number;
}

export function expectAlike(actual: Numbers, expected: Numbers, { tolerance, floor }: Closeness): void {
  expect(Object.keys(actual)).toEqual(Object.keys(expected));
  for (const [name, values] of Object.entries(expected)) {
    expect(relativeError(actual[name], values, floor), name).toBeLessThan(tolerance);
  }
}
