/** The Vulkan loader, libvulkan.so.1, for machines that have none of their own. */
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { unpackedSwiftShader } from './swiftshader-package.ts';
import { browserFolders } from './vulkan-drivers.ts';

const loader = 'libvulkan.so.1';

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

/** Sees to it that Dawn finds a loader; false, and the reason in `tried`, if there is none. */
export function provideVulkanLoader(tried: string[]): boolean {
  // Elsewhere than on Linux Dawn has other APIs to go through.
  if (process.platform !== 'linux') return true;
  const has = (folder: string): boolean => existsSync(join(folder, loader));
  const searched = (process.env['LD_LIBRARY_PATH'] ?? '').split(delimiter).filter(Boolean);
  if ([...searched, ...libraryFolders].some(has)) return true;
  const shipped = unpackedSwiftShader(tried);
  const folder = [...browserFolders, ...(shipped === undefined ? [] : [shipped])].find(has);
  if (folder === undefined) {
    tried.push(`the Vulkan loader (${loader}): neither in the system's folders nor in a browser's`);
    return false;
  }
  keepLoaded(join(folder, loader));
  return true;
}

/** dlopen's RTLD_NODELETE as in Linux's <dlfcn.h>; Node does not name it. */
const noDelete = 0x1000;

/**
 * Loads a library for good. Dawn opens the loader by its bare name, which finds one that is loaded already;
 * LD_LIBRARY_PATH would be read only when a process starts.
 */
function keepLoaded(library: string): void {
  try {
    process.dlopen({ exports: {} }, library, constants.dlopen.RTLD_NOW | noDelete);
  } catch (error) {
    // Node wants an addon and closes what is none; RTLD_NODELETE leaves it loaded.
    if (!(error instanceof Error && error.message.includes('did not self-register'))) throw error;
  }
}
