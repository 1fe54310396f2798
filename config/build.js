// @ts-check
/** Builds the package in the working directory: dist anew, so that nothing of a deleted source is left in it. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
// npm puts the workspace's tsc first in the path of its scripts.
const { status } = spawnSync('tsc -p tsconfig.build.json', { stdio: 'inherit', shell: true });
process.exitCode = status ?? 1;
