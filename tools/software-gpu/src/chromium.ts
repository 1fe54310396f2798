/** A headless Chromium for tests. */
import { chromiumFiles } from './chromium-package.ts';

/**
 * The program to start: the one from npm, so that tests do not depend on what is installed, unless the
 * environment variable FLOWGRAD_CHROMIUM names another.
 */
export async function chromiumExecutable(): Promise<string> {
  return process.env['FLOWGRAD_CHROMIUM'] ?? (await chromiumFiles()).chromium;
}

/** Arguments beyond those of Playwright: WebGPU without a GPU, and no word to the outside. */
export const chromiumArguments: readonly string[] = [
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
  // SwiftShader compiles one store per word for it: seconds for every kernel with a tile in workgroup memory.
  '--disable-dawn-features=use_vulkan_zero_initialize_workgroup_memory_extension',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
