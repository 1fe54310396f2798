/// <reference types="@webgpu/types" />
/** Dawn's native module, and the instances made from it. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { findPackage } from './find-package.ts';
import { provideVulkanLoader } from './vulkan-loader.ts';

export interface Dawn {
  create(options: readonly string[]): GPU;
}

let loaded: Dawn | undefined;

/** The module; undefined, and the reason in `tried`, if there is none or nothing for it to run on. */
export function loadDawn(tried: string[]): Dawn | undefined {
  if (loaded) return loaded;
  const folder = findPackage('webgpu');
  const platform = process.platform === 'darwin' ? 'darwin-universal' : `${process.platform}-${process.arch}`;
  const path = folder && join(folder, 'dist', platform, 'dawn.node');
  if (path === undefined || !existsSync(path)) {
    tried.push(`the package webgpu (Dawn): not installed for ${platform}`);
    return undefined;
  }
  if (!provideVulkanLoader(tried)) return undefined;
  return (loaded = createRequire(import.meta.url)(path) as Dawn);
}

/**
 * Instances by the Vulkan driver they were made with. Held for as long as the process lives: when an instance was
 * collected while something it made was in use, pipeline compilation crashed the process.
 */
const instances = new Map<string | undefined, GPU>();

const disabled = [
  // Times in the profiler are worth more than the secrecy that rounding them gives: nothing here is a web page.
  'timestamp_quantization',
  // SwiftShader compiles one store per word for it, seconds for a tile of a matrix; Dawn's own loop costs nothing.
  'use_vulkan_zero_initialize_workgroup_memory_extension',
];
const instanceOptions = [`disable-dawn-features=${disabled.join(',')}`];

/** An adapter of the Vulkan driver that the manifest `icd` describes, or of the machine's own; null if there is none. */
export async function adapterOf(
  dawn: Dawn,
  icd: string | undefined,
  options: GPURequestAdapterOptions,
): Promise<GPUAdapter | null> {
  const known = instances.get(icd);
  if (known) return known.requestAdapter(options);
  const before = process.env['VK_ICD_FILENAMES'];
  // The Vulkan loader reads it when an instance is first asked for an adapter.
  if (icd !== undefined) process.env['VK_ICD_FILENAMES'] = icd;
  try {
    const instance = dawn.create(instanceOptions);
    instances.set(icd, instance);
    return await instance.requestAdapter(options);
  } finally {
    if (before === undefined) delete process.env['VK_ICD_FILENAMES'];
    else process.env['VK_ICD_FILENAMES'] = before;
  }
}
