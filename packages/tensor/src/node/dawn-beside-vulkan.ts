/**
 * On a machine without a Vulkan loader, Dawn uses one that lies beside its own module. Both are put into a folder
 * of ours: nothing in node_modules changes, and no environment variable has to be set before the process starts.
 */
import { copyFileSync, existsSync, linkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { privateFolder } from './private-folder.ts';
import { unpackedSwiftShader } from './swiftshader-package.ts';
import { browserFolders } from './vulkan-drivers.ts';

const loader = 'libvulkan.so.1';

/** The path of a copy of `dawnNode` that has a Vulkan loader beside it; undefined if there is no loader. */
export function dawnBesideVulkan(dawnNode: string, tried: string[]): string | undefined {
  const folder = [...browserFolders, unpackedSwiftShader(tried)].find(
    (candidate) => candidate !== undefined && existsSync(join(candidate, loader)),
  );
  if (folder === undefined) {
    tried.push(`a Vulkan loader (${loader}): not in the system's library folders, nor in ${browserFolders.join(', ')}`);
    return undefined;
  }
  const { size, mtimeMs } = statSync(dawnNode);
  const target = privateFolder(`flowgrad-dawn-${size}-${Math.round(mtimeMs)}`, (fresh) => {
    linkOrCopy(dawnNode, join(fresh, 'dawn.node'));
    linkOrCopy(join(folder, loader), join(fresh, loader));
  });
  return join(target, 'dawn.node');
}

/** A symbolic link would not do: Dawn looks beside the file that it leads to. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}
