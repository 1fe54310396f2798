import { expect, it } from 'vitest';
import { bundle, problemsOf } from './bundle.js';

const budget = 1000;

it('finds nothing wrong with a small module for a page', async () => {
  const made = await bundle('export const answer = () => globalThis.performance.now() + 42;');
  expect(problemsOf(made, budget)).toEqual([]);
  expect(made.gzipBytes).toBeLessThan(200);
});

it.for([
  "import { readFileSync } from 'node:fs'; export const read = readFileSync;",
  "export const load = () => import('node:path');",
  'export const where = () => process.cwd();',
  "export const bytes = Buffer.from('x');",
])('finds Node code in: %s', async (code) => {
  const problems = problemsOf(await bundle(code), budget);
  expect(problems.join()).toMatch(/Node code/);
});

it('finds a bundle that is too large', async () => {
  const noise = Array.from({ length: 2000 }, (_, i) => Math.sin(i)).join();
  expect(problemsOf(await bundle(`export const noise = [${noise}];`), budget).join()).toMatch(
    /bytes after gzip, expected at most 1000/,
  );
});
