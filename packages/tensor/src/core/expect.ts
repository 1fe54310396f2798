/** Checks that ops share, so that their messages read alike. */
import type { DType, TensorSpec } from './dtype.ts';
import { showSpec, TensorError } from './errors.ts';
import type { RowIndex } from './row-index.ts';

export function expectDType(op: string, name: string, spec: TensorSpec, ...allowed: readonly DType[]): void {
  if (allowed.includes(spec.dtype)) return;
  throw new TensorError(op, 'dtype', `${name} must be ${allowed.join(' or ')}, got ${showSpec(spec)}`);
}

export function expectSameDType(op: string, a: TensorSpec, b: TensorSpec): void {
  if (a.dtype === b.dtype) return;
  throw new TensorError(
    op,
    'dtype',
    `expected operands of one dtype, got ${showSpec(a)} and ${showSpec(b)} (cast one of them)`,
  );
}

/** Checks rank and extents; −1 stands for any extent. */
export function expectShape(op: string, name: string, spec: TensorSpec, shape: readonly number[]): void {
  const fits =
    spec.shape.length === shape.length && shape.every((n, axis) => n === -1 || n === spec.shape[axis]);
  if (fits) return;
  const wanted = `[${shape.map((n) => (n === -1 ? '·' : String(n))).join(', ')}]`;
  throw new TensorError(op, 'shape', `${name} must have shape ${wanted}, got ${showSpec(spec)}`);
}

export function expectRankAtLeast(op: string, name: string, spec: TensorSpec, rank: number): void {
  if (spec.shape.length >= rank) return;
  throw new TensorError(op, 'shape', `${name} must have at least ${rank} axes, got ${showSpec(spec)}`);
}

/** Checks that `index` has one id for each row of `x`. */
export function expectIdPerRow(op: string, name: string, index: RowIndex, x: TensorSpec): void {
  if (index.length === x.shape[0]) return;
  throw new TensorError(
    op,
    'shape',
    `${name} must have length ${x.shape[0]} (x.shape[0]), got ${index.length} ids; x is ${showSpec(x)}`,
  );
}

/** Checks that `index` points into the rows of `x`. */
export function expectIndexInto(op: string, name: string, index: RowIndex, x: TensorSpec): void {
  if (index.rows === x.shape[0]) return;
  throw new TensorError(
    op,
    'shape',
    `${name} must point into ${x.shape[0]} rows (x.shape[0]), got an index into ${index.rows}; x is ${showSpec(x)}`,
  );
}

/** Checks that there are as many of one as of the other, which `what` says: "a row of y for each of x". */
export function expectAsMany(op: string, what: string, count: number, others: number): void {
  if (count === others) return;
  throw new TensorError(op, 'shape', `expected ${what}, got ${count} for ${others}`);
}

/** Checks that a list has something in it; `what` names one of its items. */
export function expectSome(op: string, what: string, items: readonly unknown[]): void {
  if (items.length === 0) throw new TensorError(op, 'shape', `expected at least one ${what}, got none`);
}
