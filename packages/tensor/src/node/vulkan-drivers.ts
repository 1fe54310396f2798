/** Software Vulkan drivers: on the machine, or in the Chromium that npm ships. */
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { unpackedSwiftShader } from './swiftshader-package.ts';

export interface VulkanDriver {
  readonly name: string;
  /** The manifest that tells the Vulkan loader where the driver lies. */
  readonly icd: string;
}

const manifestFolders = [
  ...['/usr/share', '/usr/local/share', '/etc', join(homedir(), '.local/share')],
  ...(process.env['XDG_DATA_DIRS'] ?? '').split(delimiter).filter(Boolean),
].map((folder) => join(folder, 'vulkan/icd.d'));

/** The drivers that the machine has registered with its Vulkan loader. */
const manifests = (): string[] =>
  manifestFolders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)));

/**
 * Whether asking for the machine's own adapter can succeed. With a loader and no driver it cannot, and Dawn would
 * say so on the console.
 */
export function hasRegisteredDriver(tried: string[]): boolean {
  if (process.platform !== 'linux') return true;
  const named = ['VK_ICD_FILENAMES', 'VK_DRIVER_FILES', 'VK_ADD_DRIVER_FILES'];
  if (named.some((name) => process.env[name]) || manifests().length > 0) return true;
  tried.push(`the machine's own adapter: no Vulkan driver in ${manifestFolders.join(', ')}`);
  return false;
}

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
  const lavapipe = manifests()
    .filter((path) => /lvp_icd[^/]*\.json$/.test(path))
    .map((icd) => ({ name: `lavapipe (${icd})`, icd }));
  if (lavapipe.length === 0) tried.push('lavapipe: no lvp_icd*.json in the same folders');
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
