/** Runs every example of README.md and of each package's README.md against the built packages. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readExamples } from './examples.ts';
import { runExample, workspaceRoot } from './run-example.ts';

const packages = readdirSync(join(workspaceRoot, 'packages')).map((name) => `packages/${name}/README.md`);

describe.for(['README.md', ...packages])('%s', (path) => {
  const file = join(workspaceRoot, path);
  const examples = existsSync(file) ? readExamples(readFileSync(file, 'utf8')) : [];

  test('has an example: a ts block directly followed by a text block', () => {
    expect(examples.length).toBeGreaterThan(0);
  });

  test.for(examples)('the example on line $line prints what it says', async (example) => {
    expect(await runExample(example)).toBe(example.expected);
  });
});
