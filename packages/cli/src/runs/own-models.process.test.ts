/** Models of one's own, on the command line: the module of the README, and modules that are none. */
import { readFile, symlink, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runChild } from '../testing/child.ts';
import { metricsOf } from '../testing/metrics-of.ts';
import { runCaptured, tinyWorld } from '../testing/run-captured.ts';
import { temporaryFolders } from '../testing/temporary-folder.ts';

const emptyFolder = temporaryFolders();
const patience = 300_000;
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** A project that has Flowgrad installed, and the module that the README shows. */
async function project(): Promise<{ folder: string; module: string }> {
  const folder = await emptyFolder();
  await mkdir(join(folder, 'node_modules'));
  await symlink(here('../../../../node_modules/@flowgrad'), join(folder, 'node_modules/@flowgrad'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const readme = await readFile(here('../../README.md'), 'utf8');
  const [, module] = /```js\n(\/\/ my-models.js\n[^]*?)```/.exec(readme)!;
  await writeFile(join(folder, 'my-models.js'), module);
  return { folder, module };
}

const tiny = ['--d', '4', '--epochs', '2', '--device', 'wasm', '--threads', '1'];
const own = ['--models', './my-models.js'];

test(
  'the module of the README trains, goes on, is evaluated, shown, reported and part of an experiment',
  async () => {
    const { folder, module } = await project();
    const run = async (...words: string[]) => {
      const ended = await runChild(words, folder);
      return { ...ended, said: ended.stdout + ended.stderr };
    };
    const trained = await run(
      'train',
      ...own,
      '--model',
      'GGNN-Soft',
      '--group',
      tinyWorld,
      ...tiny,
      '--out',
      'a',
    );
    expect(trained.said).toContain('GGNN-Soft+d=4+epochs=2, filtered');
    const config = JSON.parse(await readFile(join(folder, 'a/config.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    expect(config).toMatchObject({ model: 'GGNN-Soft', module: { file: 'my-models.js' } });

    const without = await run('evaluate', 'a');
    expect([without.code, without.stderr]).toEqual([
      1,
      expect.stringContaining('which has the model GGNN-Soft, got none (--models <file> names it)'),
    ]);
    for (const words of [
      ['evaluate', 'a'],
      ['show', 'a'],
      ['report', '.', '--out', 'page.html'],
      ['train', '--resume', 'a'],
    ]) {
      expect(await run(...words, ...own)).toMatchObject({ code: 0 });
    }
    expect(await readFile(join(folder, 'page.html'), 'utf8')).toContain('--models ./my-models.js');

    const models = ['--models', './my-models.js,GGNN-Soft,RW-Stationary'];
    const grid = await run('experiment', ...models, '--groups', tinyWorld, ...tiny, '--jobs', '2');
    expect(grid).toMatchObject({ code: 0, stdout: '2 of 2 runs are done, in runs\n' });
    expect((await run('sweep', 'status', ...own)).stdout).toMatch(/experiment-\w+ +0 +0 +2 +0 +0/);
    expect((await run('sweep', 'status', '--json')).stderr).toContain('got none (--models <file> names it)');
    const same = join(folder, 'runs', tinyWorld, 'GGNN-Soft+d=4+epochs=2/seed1-shuffling1');
    expect(await metricsOf(same)).toEqual(await metricsOf(join(folder, 'a')));

    await writeFile(join(folder, 'my-models.js'), `${module}\n// changed`);
    const changed = await run('train', '--resume', 'a', ...own);
    expect([changed.code, changed.stderr]).toEqual([
      1,
      expect.stringContaining('got my-models.js, whose content differs'),
    ]);
  },
  patience,
);

test.each([
  ['missing.js', undefined, 'expected a module, got missing.js, where no file is'],
  ['empty.js', '', 'expected models among the exports of a module, got empty.js, which exports nothing'],
  ['other.js', 'export const size = 3;', 'which is none'],
  ['broken.js', 'export const = 3;', 'expected a module that can be loaded, got broken.js: '],
  [
    'ours.js',
    "export const model = { name: 'GGNN', options: [], asks: false, build: () => ({}) };",
    'expected names that no model here has, got GGNN in ours.js',
  ],
  [
    'twice.js',
    "const model = { name: 'Mine', options: [], asks: false, build: () => ({}) }; export { model as a, model as b };",
    'expected each name once, got Mine in twice.js and in twice.js',
  ],
])('%s is refused', async (file, content, complaint) => {
  const { folder } = await project();
  if (content !== undefined) await writeFile(join(folder, file), content);
  const { code, stderr } = await runChild(['report', '.', '--models', `./${file}`], folder);
  expect(code).toBe(2);
  expect(stderr.replaceAll('./', '')).toContain(complaint);
});

test('a name where a module is expected says so', async () => {
  const { code, stderr } = await runCaptured('report runs --models GGNN-Soft');
  expect([code, stderr.split('\n')[0]]).toEqual([
    2,
    "flowgrad: report: --models: expected a module, such as ./my-models.js, got 'GGNN-Soft'",
  ]);
});
