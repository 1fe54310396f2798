/// <reference types="@webgpu/types" />
/** Dawn's native module, and the instances made from it. */
import { constants } from 'node:os';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { dawnBesideVulkan } from './dawn-beside-vulkan.ts';
import { findPackage } from './find-package.ts';

export interface Dawn {
  create(options: readonly string[]): GPU;
}

const libraryFolders = [
  '/usr/lib/x86_64-linux-gnu',
  '/usr/lib/aarch64-linux-gnu',
  '/usr/lib64',
  '/usr/lib',
  '/usr/local/lib',
  '/lib/x86_64-linux-gnu',
  '/lib/aarch64-linux-gnu',
  '/lib64',
];

/** Whether Dawn finds the Vulkan loader by itself. Elsewhere than on Linux it has other APIs. */
function hasVulkanLoader(): boolean {
  if (process.platform !== 'linux') return true;
  const given = (process.env['LD_LIBRARY_PATH'] ?? '').split(delimiter).filter(Boolean);
  return [...given, ...libraryFolders].some((folder) => existsSync(join(folder, 'libvulkan.so.1')));
}

let loaded: Dawn | undefined;

/** The module; undefined, and the reason in `tried`, if there is none or nothing for it to run on. */
export function loadDawn(tried: string[]): Dawn | undefined {
  if (loaded) return loaded;
  const folder = findPackage('webgpu');
  const platform = process.platform === 'darwin' ? 'darwin-universal' : `${process.platform}-${process.arch}`;
  const own = folder && join(folder, 'dist', platform, 'dawn.node');
  if (own === undefined || !existsSync(own)) {
    tried.push(`the package webgpu (Dawn): not installed for ${platform}`);
    return undefined;
  }
  const path = hasVulkanLoader() ? own : dawnBesideVulkan(own, tried);
  if (path === undefined) return undefined;
  const module = { exports: {} };
  process.dlopen(module, path, constants.dlopen?.RTLD_LAZY ?? 1);
  return (loaded = module.exports as Dawn);
}

/**
 * Instances by the Vulkan driver they were made with. Held for as long as the process lives: when an instance was
 * collected while something it made was in use, pipeline compilation crashed the process.
 */
const instances = new Map<string | undefined, GPU>();

/** Times in the profiler are worth more than the secrecy that rounding them gives; nothing here is a web page. */
const instanceOptions = ['disable-dawn-features=timestamp_quantization'];

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
