/** The registry: every op that a backend must have a kernel for. */
import type { DeviceBuffer } from '../core/backend.ts';
import type { KernelOf, ReferenceOf } from '../core/op.ts';
import { ops } from './generated/ops.ts';

/** Every op by its name. */
export const registry = ops;

/** The name of a built-in op. */
export type OpName = keyof typeof registry;

/** A backend's kernels, which it hands an `Extra` to work with. An op without one does not compile. */
export type KernelTable<Buffer extends DeviceBuffer, Extra = void> = {
  readonly [Name in OpName]: KernelOf<(typeof registry)[Name], Buffer, Extra>;
};

/** The plain loops that define each op. */
export type ReferenceTable = { readonly [Name in OpName]: ReferenceOf<(typeof registry)[Name]> };
