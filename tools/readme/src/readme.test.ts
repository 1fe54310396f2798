/** Type-checks and runs every example of README.md and of each package's README.md against the built packages. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkTypes } from './check-types.ts';
import { readExamples } from './examples.ts';
import { keptValues } from './kept-values.ts';
import { runExample, workspaceRoot } from './run-example.ts';

const packages = readdirSync(join(workspaceRoot, 'packages')).map((name) => `packages/${name}/README.md`);
const readmes = ['README.md', ...packages].map((path) => {
  const file = join(workspaceRoot, path);
  return { path, examples: existsSync(file) ? readExamples(readFileSync(file, 'utf8')) : [] };
});
// One program for all of them: reading the packages' types is most of the work.
const all = readmes.flatMap(({ examples }) => examples);
const problems = new Map(checkTypes(all).map((found, i) => [all[i], found]));

describe.for(readmes)('$path', ({ examples }) => {
  test('has an example: a ts block directly followed by a text block', () => {
    expect(examples.length).toBeGreaterThan(0);
  });

  test.for(examples)('the example on line $line passes tsc --strict', (example) => {
    expect(problems.get(example)).toEqual([]);
  });

  test.for(examples)('the example on line $line reads values inside of their scope', ({ code }) => {
    expect(keptValues(code)).toEqual([]);
  });

  test.for(examples)('the example on line $line prints what it says', async (example) => {
    expect(await runExample(example)).toBe(example.expected);
  });
});
