/**
 * Lints violating text as if it lay in a package, and names the rule that must object. Each case also shows
 * where the same text is fine, so that a rule that fires everywhere fails here too.
 */
import { createProjectGraphAsync, readCachedProjectGraph } from '@nx/devkit';
import { ESLint, type Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { beforeAll, describe, expect, test } from 'vitest';

const root = new URL('../../../', import.meta.url).pathname;
// The fixtures are not on disk, so there are no types for them; the rules under test need none.
const eslint = new ESLint({ cwd: root, overrideConfig: tseslint.configs.disableTypeChecked });

/** What ESLint says about `text` at `path`. */
async function lint(path: string, text: string): Promise<Linter.LintMessage[]> {
  const [{ messages }] = await eslint.lintText(text, { filePath: `${root}${path}` });
  return messages;
}

/** The rules that object to `text` at `path`. */
async function objections(path: string, text: string): Promise<string[]> {
  return (await lint(path, text)).map(({ ruleId, message }) => ruleId ?? `not linted: ${message}`);
}

beforeAll(async () => {
  // Without a project graph Nx's rule skips itself with a mere warning.
  try {
    readCachedProjectGraph();
  } catch {
    await createProjectGraphAsync();
  }
});

describe('environments', () => {
  const readsFile = `import { readFileSync } from 'node:fs';\nexport const text = readFileSync('a', 'utf8');\n`;

  test.for([
    ['imports node:fs', readsFile, 'no-restricted-imports'],
    ['imports fs', readsFile.replace('node:fs', 'fs'), 'no-restricted-imports'],
    ['imports a part of fs', readsFile.replace('node:fs', 'fs/promises'), 'no-restricted-imports'],
    ['imports node:fs on demand', `export const fs = () => import('node:fs');\n`, 'no-restricted-syntax'],
    ['touches process', `export const id = process.pid;\n`, 'no-restricted-globals'],
    ['touches Buffer', `export const bytes = Buffer.from('a');\n`, 'no-restricted-globals'],
    [
      'touches process through globalThis',
      `export const id = globalThis.process;\n`,
      'no-restricted-globals',
    ],
  ])(
    'a file for any environment that %s fails, and passes in src/node and in a test',
    async ([, text, rule]) => {
      expect(await objections('packages/tensor/src/fixture.ts', text)).toEqual([rule]);
      expect(await objections('packages/gridworld/src/fixture.ts', text)).toEqual([rule]);
      expect(await objections('packages/gridworld/src/browser/fixture.ts', text)).toEqual([rule]);
      expect(await objections('packages/gridworld/src/node/fixture.ts', text)).toEqual([]);
      expect(await objections('packages/tensor/src/fixture.test.ts', text)).toEqual([]);
      expect(await objections('packages/tensor/src/fixture.browser.test.ts', text)).toEqual([rule]);
      expect(await objections('bench/src/fixture.ts', text)).toEqual([]);
    },
  );

  test.for([
    ['document', `export const title = document.title;\n`],
    ['window', `export const width = window.innerWidth;\n`],
    ['navigator', `export const gpu = navigator.gpu;\n`],
    ['HTMLElement', `export const element = HTMLElement;\n`],
  ])('a file for any environment that touches %s fails, and passes for browsers', async ([, text]) => {
    expect(await objections('packages/tensor/src/fixture.ts', text)).toEqual(['no-restricted-globals']);
    expect(await objections('packages/tensor/src/fixture.test.ts', text)).toEqual(['no-restricted-globals']);
    expect(await objections('packages/tensor/src/node/fixture.ts', text)).toEqual(['no-restricted-globals']);
    expect(await objections('packages/tensor/src/browser/fixture.ts', text)).toEqual([]);
    expect(await objections('packages/tensor/src/fixture.browser.test.ts', text)).toEqual([]);
  });

  test.for(['./node/index.ts', './deeper/node/index.ts', '../browser/index.ts', '@flowgrad/gridworld/node'])(
    'a file for any environment may not import %s',
    async (path) => {
      const text = `import { a } from '${path}';\nexport const b = a;\n`;
      expect(await objections('packages/gridworld/src/fixture.ts', text)).toContain('no-restricted-imports');
    },
  );

  test('names that merely contain "node" or a builtin may be imported', async () => {
    const text = `import { a } from './node-ids.ts';\nimport { b } from './paths/path.ts';\nexport const c = [a, b];\n`;
    expect(await objections('packages/graph/src/fixture.ts', text)).toEqual([]);
  });

  test('what Node and browsers share may be used anywhere', async () => {
    const text = `export const t = [performance.now(), new TextEncoder(), WebAssembly, structuredClone, URL];\n`;
    expect(await objections('packages/tensor/src/fixture.ts', text)).toEqual([]);
  });
});

describe('layers', () => {
  const imports = (name: string) => `import { a } from '${name}';\nexport const b = a;\n`;

  test.for([
    ['tensor', '@flowgrad/graph'],
    ['tensor', '@flowgrad/gridworld'],
    ['graph', '@flowgrad/gridworld'],
  ])('%s may not import %s', async ([layer, name]) => {
    expect(await lint(`packages/${layer}/src/fixture.ts`, imports(name))).toEqual([
      expect.objectContaining({
        ruleId: '@nx/enforce-module-boundaries',
        message: expect.stringContaining(`tagged with "layer:${layer}"`) as string,
      }),
    ]);
  });

  test.for([
    ['packages/graph', '@flowgrad/tensor'],
    ['packages/gridworld', '@flowgrad/graph'],
    ['packages/gridworld', '@flowgrad/tensor'],
  ])('%s may import %s', async ([folder, name]) => {
    expect(await objections(`${folder}/src/fixture.ts`, imports(name))).toEqual([]);
  });

  test('another package is not reached by a relative path', async () => {
    expect(await objections('packages/graph/src/fixture.ts', imports('../../tensor/src/index.ts'))).toEqual([
      '@nx/enforce-module-boundaries',
    ]);
  });

  test('a package that package.json does not name may not be imported', async () => {
    expect(await objections('packages/tensor/src/fixture.ts', imports('picocolors'))).toEqual([
      '@nx/enforce-module-boundaries',
    ]);
  });
});

describe('house style', () => {
  test.for([
    ['export *', `export * from './a.ts';\n`, 'no-restricted-syntax'],
    ['a default export', `export default 1;\n`, 'no-restricted-syntax'],
    ['a renamed default export', `const a = 1;\nexport { a as default };\n`, 'no-restricted-syntax'],
    [
      'a deep import',
      `import { a } from '@flowgrad/tensor/src/a.ts';\nexport const b = a;\n`,
      'no-restricted-imports',
    ],
    [
      'an import of a type without "type"',
      `import { A } from './a.ts';\nexport const b = (a: A): A => a;\n`,
      '@typescript-eslint/consistent-type-imports',
    ],
  ])('%s fails', async ([, text, rule]) => {
    expect(await objections('packages/graph/src/fixture.ts', text)).toContain(rule);
  });

  const clean = `/** out = a + 1 */\nexport const next = (a: number): number => a + 1;\n`;

  test.for(['segmentSum.ts', 'segment_sum.op.ts', 'Tensor.ts', 'string-utils.ts'])(
    'the file name %s fails',
    async (name) => {
      expect(await objections(`packages/tensor/src/${name}`, clean)).toEqual(['flowgrad/file-names']);
    },
  );

  test.for(['index.ts', 'segment-sum.op.ts', 'ops/segment-sum/segment-sum.reference.ts', 'a.test-d.ts'])(
    'a clean file named %s passes',
    async (name) => {
      expect(await objections(`packages/tensor/src/${name}`, clean)).toEqual([]);
    },
  );
});
