/**
 * SwiftShader, a Vulkan driver that computes on the CPU, and a Vulkan loader that finds it: what Dawn (`webgpu`
 * on npm) needs on a machine without a GPU.
 */
import { constants } from 'node:os';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { chromiumFiles } from './chromium-package.ts';

export interface SoftwareVulkan {
  /** The driver's manifest, for VK_ICD_FILENAMES. */
  readonly icd: string;
  /** The folder of libvulkan.so.1. */
  readonly loaderFolder: string;
}

export async function softwareVulkan(): Promise<SoftwareVulkan> {
  const { folder, swiftshaderManifest } = await chromiumFiles();
  return { icd: swiftshaderManifest, loaderFolder: folder };
}

/** Variables that make SwiftShader the one Vulkan driver of a process that is started with them. */
export async function softwareVulkanEnvironment(): Promise<Record<string, string>> {
  const { icd, loaderFolder } = await softwareVulkan();
  const { LD_LIBRARY_PATH: before } = process.env;
  return {
    ...driverVariables(icd),
    LD_LIBRARY_PATH: before === undefined || before === '' ? loaderFolder : `${loaderFolder}:${before}`,
  };
}

/**
 * Makes SwiftShader the one Vulkan driver of this process. Call it before Dawn's `create()`, and not in a worker
 * thread: its `process.env` is a copy that a driver does not see.
 */
export async function useSoftwareVulkan(): Promise<void> {
  if (!isMainThread) {
    throw new Error(
      "useSoftwareVulkan: expected the main thread, got a worker thread (in Vitest, pool: 'forks', its default)",
    );
  }
  const { icd, loaderFolder } = await softwareVulkan();
  Object.assign(process.env, driverVariables(icd));
  keepLoaded(join(loaderFolder, 'libvulkan.so.1'));
}

/** The second name is the newer one, and wins where a loader knows it. */
const driverVariables = (icd: string) => ({ VK_ICD_FILENAMES: icd, VK_DRIVER_FILES: icd });

/** dlopen's RTLD_NODELETE as in Linux's <dlfcn.h>; Node does not name it. */
const noDelete = 0x1000;

/**
 * Loads a library for good. Dawn opens `libvulkan.so.1` by that name alone, which finds one that is loaded
 * already; LD_LIBRARY_PATH would be read only when a process starts.
 */
function keepLoaded(library: string): void {
  try {
    process.dlopen({ exports: {} }, library, constants.dlopen.RTLD_NOW | noDelete);
  } catch (error) {
    // Node wants an addon, and closes what is none; RTLD_NODELETE is what leaves it loaded.
    if (!(error instanceof Error && error.message.includes('did not self-register'))) throw error;
  }
}
