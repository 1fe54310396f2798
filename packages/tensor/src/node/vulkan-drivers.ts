/** Software Vulkan drivers: on the machine, or in the Chromium that npm ships. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { unpackedSwiftShader } from './swiftshader-package.ts';

export interface VulkanDriver {
  readonly name: string;
  /** The manifest that tells the Vulkan loader where the driver lies. */
  readonly icd: string;
}

const manifestFolders = ['/usr/share/vulkan/icd.d', '/usr/local/share/vulkan/icd.d', '/etc/vulkan/icd.d'];

/** Where browsers keep SwiftShader and a Vulkan loader. */
export const browserFolders = [
  '/usr/lib/chromium',
  '/usr/lib/chromium-browser',
  '/usr/lib64/chromium-browser',
  '/opt/google/chrome',
  '/snap/chromium/current/usr/lib/chromium-browser',
];

export const swiftShaderManifest = 'vk_swiftshader_icd.json';

/** Mesa's lavapipe first: about twice as fast. What is missing goes into `tried`. */
export function softwareDrivers(tried: string[]): VulkanDriver[] {
  if (process.platform !== 'linux') return [];
  const lavapipe = manifestFolders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)))
    .filter((path) => /lvp_icd[^/]*\.json$/.test(path))
    .map((icd) => ({ name: `lavapipe (${icd})`, icd }));
  if (lavapipe.length === 0) tried.push(`lavapipe: no lvp_icd*.json in ${manifestFolders.join(', ')}`);
  const installed = browserFolders
    .map((folder) => join(folder, swiftShaderManifest))
    .filter((icd) => existsSync(icd))
    .map((icd) => ({ name: `SwiftShader (${icd})`, icd }));
  if (installed.length === 0) tried.push(`SwiftShader of a browser: not in ${browserFolders.join(', ')}`);
  const shipped = unpackedSwiftShader(tried);
  const fromNpm = shipped && {
    name: 'SwiftShader of @sparticuz/chromium',
    icd: join(shipped, swiftShaderManifest),
  };
  return [...lavapipe, ...installed, ...(fromNpm ? [fromNpm] : [])];
}
