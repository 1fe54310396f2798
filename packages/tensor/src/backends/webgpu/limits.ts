/** The device's limits as this backend keeps them; each can be lowered, none raised. */
import { rejectUnknownOptions, TensorError } from '../../core/errors.ts';

/** The limits of a device that decide how work is split, and when it is refused. */
export interface WebGpuLimits {
  readonly maxComputeWorkgroupsPerDimension: number;
  readonly maxStorageBufferBindingSize: number;
  readonly maxStorageBuffersPerShaderStage: number;
  readonly maxBufferSize: number;
  /** Bytes in buffers altogether, those waiting for reuse included. Not a limit of WebGPU's. */
  readonly maxMemory: number;
}

const names = [
  'maxComputeWorkgroupsPerDimension',
  'maxStorageBufferBindingSize',
  'maxStorageBuffersPerShaderStage',
  'maxBufferSize',
] as const;
const computeNames = ['maxComputeWorkgroupStorageSize', 'maxComputeInvocationsPerWorkgroup'] as const;

/** The part of GPUSupportedLimits that matters here, so that the package's types need no DOM. */
type Granted<Name extends string = (typeof names)[number]> = Readonly<Record<Name, number>>;

/** The lower of what the device grants and what the caller asked for. */
export function effectiveLimits(granted: Granted, wanted: Partial<WebGpuLimits>): WebGpuLimits {
  rejectUnknownOptions('openWebGpu limits', wanted, [...names, 'maxMemory']);
  for (const [name, value] of Object.entries(wanted)) {
    if (Number.isSafeInteger(value) && value > 0) continue;
    throw new TensorError('openWebGpu', 'option', `${name} must be a whole number > 0, got ${value}`);
  }
  return { ...lowered(granted, wanted), maxMemory: wanted.maxMemory ?? Infinity };
}

function lowered(granted: Granted, wanted: Partial<WebGpuLimits>): Granted {
  const lower = names.map((name) => [name, Math.min(granted[name], wanted[name] ?? Infinity)]);
  return Object.fromEntries(lower) as Granted;
}

/** What to ask the adapter for: all it has, lowered where the caller wants. */
export function requiredLimits(
  adapter: Granted<(typeof names)[number] | (typeof computeNames)[number]>,
  wanted: Partial<WebGpuLimits>,
): Record<string, number> {
  return {
    ...Object.fromEntries(computeNames.map((name) => [name, adapter[name]])),
    ...lowered(adapter, wanted),
  };
}

/** How `workgroups` go into the x and y of a dispatch. */
export function splitWorkgroups(
  op: string,
  workgroups: number,
  { maxComputeWorkgroupsPerDimension: limit }: WebGpuLimits,
): readonly [x: number, y: number] {
  if (!(Number.isSafeInteger(workgroups) && workgroups > 0)) {
    throw new TensorError(op, 'kernel', `workgroups must be a whole number > 0, got ${workgroups}`);
  }
  if (workgroups <= limit) return [workgroups, 1];
  const y = Math.ceil(workgroups / limit);
  if (y > limit) {
    throw new TensorError(
      op,
      'limit',
      `expected at most ${limit}² workgroups (maxComputeWorkgroupsPerDimension in two dimensions), got ${workgroups}`,
    );
  }
  return [Math.ceil(workgroups / y), y];
}
