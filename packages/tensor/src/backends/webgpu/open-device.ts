/// <reference types="@webgpu/types" />
/** What opening a device has in common in Node and in browsers. */
import { expectOneOf, rejectUnknownOptions, TensorError } from '../../core/errors.ts';
import type { OpenDeviceOptions, OpenedDevice } from './device-options.ts';
import { requiredLimits } from './limits.ts';
import type { AdapterDescription } from './webgpu-backend.ts';

export function checkOptions(op: string, options: OpenDeviceOptions): void {
  rejectUnknownOptions(op, options, ['adapter', 'powerPreference', 'limits']);
  expectOneOf(op, 'adapter', options.adapter ?? 'auto', ['auto', 'hardware', 'software']);
}

/** What an adapter says of itself, and whether the CPU does its work. */
export function describeAdapter({ info }: GPUAdapter): AdapterDescription {
  const { vendor, architecture, device, description } = info;
  const name = description || device || 'unnamed adapter';
  const details = [vendor, architecture].filter(Boolean).join(', ');
  const isSoftware =
    info.isFallbackAdapter === true ||
    /swiftshader|llvmpipe|lavapipe|basic render|\bwarp\b/i.test(
      `${vendor} ${architecture} ${device} ${description}`,
    );
  return { name: details ? `${name} (${details})` : name, isSoftware };
}

/** A device with all that the adapter grants, and the features this backend can use. */
export async function requestDevice(
  adapter: GPUAdapter,
  { limits = {} }: OpenDeviceOptions,
): Promise<OpenedDevice> {
  const features = (['timestamp-query'] as const).filter((feature) => adapter.features.has(feature));
  const device = await adapter.requestDevice({
    requiredFeatures: features,
    requiredLimits: requiredLimits(adapter.limits, limits),
  });
  return { device, adapter: describeAdapter(adapter) };
}

/** The error of openDevice: what was tried, and what to install. */
export function noAdapter(wanted: string, tried: readonly string[], hint: string): TensorError {
  const list = tried.map((line) => `\n  - ${line}`).join('');
  return new TensorError(
    'openDevice',
    'backend',
    `expected a WebGPU adapter (${wanted}), got none. Tried:${list}\n(${hint})`,
  );
}
