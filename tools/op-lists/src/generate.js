// @ts-check
/** Writes the lists of a package's ops into src/ops/generated. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeGenerated } from '../../../config/generated-file.js';
import { listModule, lists, publicModule } from './lists.js';

/**
 * Writes what changed, each file in one step, so that a reader at the same time sees the old list or the new one.
 *
 * @param {string} packageRoot
 * @returns {string[]} the names of the files that were written
 */
export function generate(packageRoot) {
  const source = join(packageRoot, 'src');
  const roles = ['/index.ts', ...lists.map(({ role }) => role)];
  const sources = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => roles.some((role) => path.endsWith(role)) && !path.includes('generated/'))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(source, path), 'utf8') }));
  const target = join(source, 'ops/generated');
  mkdirSync(target, { recursive: true });
  const modules = [
    ...lists.map((list) => ({ file: list.file, text: listModule(list, sources) })),
    { file: 'public.ts', text: publicModule(sources) },
  ];
  return modules.filter(({ file, text }) => writeGenerated(join(target, file), text)).map(({ file }) => file);
}
