import { join, resolve, sep } from 'node:path';
import { DYNAMICS } from '@flowgrad/gridworld';
import { resolveRun } from '@flowgrad/evaluation';
import { expect, test } from 'vitest';
import { folderName, runPath } from './run-path.ts';

const world = {
  ...{ size: 4, nodeDrop: 0, edgeDrop: 0, latentDirection: DYNAMICS.SINE },
  ...{ steps: 2, sigma: 0.2, rollouts: 1 },
};
test.for([
  ...[
    '..',
    '.',
    '...',
    '',
    ' ',
    '../..',
    '/etc',
    'C:\\x',
    'a/../../b',
    'a\0b',
    'nul',
    'CON.txt',
    'com1',
    'a.',
    'b ',
  ],
])('%j becomes the name of one folder, inside the one it is in', (name) => {
  const path = resolve('runs', folderName(name));
  expect(path.startsWith(resolve('runs') + sep)).toBe(true);
  expect(path.slice(resolve('runs').length + 1)).not.toMatch(/[/\\\0]|^(nul|con|com1)(\.|$)|[. ]$/i);
});

test('a name that no file system takes is an error that says what to do', () => {
  expect(() => folderName('x'.repeat(300))).toThrow(/at most 200 bytes.*--out/);
});

test('a world with separators in its name has its runs in a folder of its own', () => {
  const config = resolveRun({ group: { ...world, name: '../../x' }, model: 'GAT' });
  expect(runPath('runs', config)).toBe(join('runs', '.._.._x', 'GAT', 'seed1-shuffling1'));
});

test.for(['..', '', 'a\0b', 'x'.repeat(101)])('a run of a world named %j is refused', (name) => {
  expect(() => resolveRun({ group: { ...world, name }, model: 'GAT' })).toThrow('expected name to be 1..100');
});
