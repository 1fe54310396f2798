/** The registry: every op that a backend must have a kernel for. */
import type { DeviceBuffer, KernelCall, KernelTensor } from '../core/backend.ts';
import type { AttrsOf } from '../core/op.ts';
import { ops } from './generated/ops.ts';

/** Every op by its name. */
export const registry = ops;

export type OpName = keyof typeof registry;

/** What a backend runs for one op. */
export type Kernel<Buffer extends DeviceBuffer, Attrs> = (
  call: KernelCall<KernelTensor<Buffer>, Attrs>,
) => void;

/** A backend's kernels. An op without one does not compile. */
export type KernelTable<Buffer extends DeviceBuffer> = {
  readonly [Name in OpName]: Kernel<Buffer, AttrsOf<(typeof registry)[Name]>>;
};
