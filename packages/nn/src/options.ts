/** Checks of what callers pass in, so that messages read alike. */
import { RandomKey, TensorError } from '@flowgrad/tensor';

/** Raises unless every extent is a whole number ≥ 1. */
export function expectExtents(where: string, extents: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(extents)) {
    expectNumber(where, name, value, 'a whole number ≥ 1', Number.isSafeInteger(value) && value >= 1);
  }
}

/** Raises unless `value` is a whole number ≥ 0. */
export function expectWhole(where: string, name: string, value: number): void {
  expectNumber(where, name, value, 'a whole number ≥ 0', Number.isSafeInteger(value) && value >= 0);
}

/** Raises with `wanted` unless `fits`. */
export function expectNumber(
  where: string,
  name: string,
  value: unknown,
  wanted: string,
  fits: boolean,
): void {
  if (fits) return;
  throw new TensorError(where, 'option', `${name} must be ${wanted}, got ${String(value)}`);
}

export function expectKey(where: string, key: RandomKey): void {
  if (key instanceof RandomKey) return;
  throw new TensorError(
    where,
    'option',
    `key must be a RandomKey, got ${typeof key} (make it with randomKey)`,
  );
}
