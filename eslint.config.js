// @ts-check
import nx from '@nx/eslint-plugin/nx';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { forbidden, packagesOf } from './config/eslint/environments.js';
import { fileNames } from './config/eslint/file-names.js';
import { depConstraints, layerPairs } from './config/eslint/layers.js';

/** @typedef {import('./config/eslint/environments.js').Environment} Environment */

// Its types promise a nested default export, which CommonJS in ESM does not have.
const nxPlugin = /** @type {import('eslint').ESLint.Plugin} */ (/** @type {unknown} */ (nx));

const configFiles = ['**/*.config.{ts,js}'];
const programs = ['./tsconfig.json', './tools/kernels/tsconfig.json'];
const tests = ['**/*.test.ts', '**/*.test-d.ts'];

const deepImport = {
  regex: '^@flowgrad/[^/]+/(src|dist)(/|$)',
  message: "Import from the package's own exports.",
};
const noExportAll = {
  selector: 'ExportAllDeclaration[exported=null]',
  message: 'Name what is exported.',
};
const noDefaultExport = {
  selector: 'ExportDefaultDeclaration, ExportSpecifier[exported.name="default"]',
  message: 'Use a named export.',
};

/**
 * What files of one environment may not touch. Imports are checked in all three forms: `import`,
 * `export … from` and `import()`.
 *
 * @param {Environment} environment
 */
const environmentRules = (environment) => {
  const patterns = [deepImport, ...forbidden[environment].modules];
  const dynamicImports = patterns.map(({ regex, message }) => ({
    selector: `ImportExpression[source.value=/${regex.replaceAll('/', '\\u002F')}/]`,
    message,
  }));
  /** @type {import('eslint').Linter.RulesRecord} */
  const rules = {
    'no-restricted-imports': ['error', { patterns }],
    'no-restricted-globals': ['error', { globals: forbidden[environment].globals, checkGlobalObject: true }],
    'no-restricted-syntax': ['error', noExportAll, noDefaultExport, ...dynamicImports],
  };
  return rules;
};

/** @param {Environment} environment @param {string[]} folders @param {string} glob */
const inFolders = (environment, folders, glob) =>
  folders.length === 0
    ? []
    : [{ files: folders.map((folder) => `${folder}/${glob}`), rules: environmentRules(environment) }];

export default defineConfig(
  { ignores: ['**/dist/', '**/coverage/', '**/.vite/', '**/generated/', '**/*.as.ts', '.nx/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.{ts,js}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    // One program for all packages, so that what they share is read and checked once.
    languageOptions: { parserOptions: { project: programs, tsconfigRootDir: import.meta.dirname } },
    plugins: { '@nx': nxPlugin, flowgrad: { rules: { 'file-names': fileNames } } },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          // Shared by the tools that generate files, like the presets in config/ by configurations.
          allow: ['../../../config/generated-file.js'],
          depConstraints,
          banTransitiveDependencies: true,
          ignoredCircularDependencies: layerPairs,
        },
      ],
      'flowgrad/file-names': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // An interface may promise a promise where one implementation has nothing to wait for.
      '@typescript-eslint/require-await': 'off',
      // Messages quote what cannot be, as in an exhaustive switch's last line.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNever: true }],
      eqeqeq: 'error',
      'prefer-const': 'error',
    },
  },

  // Later entries win: a package's own environment first, then the folders and files with one of their own.
  inFolders('any', packagesOf('any'), '**/*.ts'),
  inFolders('browser', packagesOf('browser'), '**/*.{ts,js}'),
  inFolders('node', packagesOf('node'), '**/*.{ts,js}'),
  inFolders('browser', ['packages/*/src/browser'], '**/*.ts'),
  { files: ['packages/*/src/node/**/*.ts', ...tests], rules: environmentRules('node') },
  { files: ['**/*.browser.test.ts', 'config/browser-setup.ts'], rules: environmentRules('browser') },

  // Config files share the presets in config/, which belongs to no package.
  {
    files: configFiles,
    rules: {
      '@nx/enforce-module-boundaries': 'off',
      'no-restricted-imports': 'off',
      'no-restricted-globals': 'off',
      'no-restricted-syntax': ['error', noExportAll],
    },
  },
  { files: ['**/*.js'], extends: [tseslint.configs.disableTypeChecked] },
);
