/** Type tests: these lines compile or fail to compile as marked; nothing runs. */
import type { DeviceBuffer } from '../core/backend.ts';
import type { KernelTable, OpName } from './registry.ts';

declare const everyKernel: KernelTable<DeviceBuffer>;
const { segmentSum, ...withoutSegmentSum } = everyKernel;

export const complete: KernelTable<DeviceBuffer> = { ...withoutSegmentSum, segmentSum };

// @ts-expect-error: a table that lacks an op does not compile.
export const incomplete: KernelTable<DeviceBuffer> = withoutSegmentSum;

// @ts-expect-error: a kernel reads its own op's attributes only.
export const wrongAttrs: KernelTable<DeviceBuffer>['sum'] = (_x, _y, _extra, attrs) => void attrs.transposeA;

// @ts-expect-error: a name that is no op is no key.
export const unknownName: OpName = 'segmentSums';
