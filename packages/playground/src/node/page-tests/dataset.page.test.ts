import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readDataFolder } from '@flowgrad/data/node';
import { cardOf } from '@flowgrad/evaluation';
import type { RunSettings } from '@flowgrad/evaluation';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mapLayout } from '../../drawing/map-layout.ts';
import { graphPlaces } from '../../drawing/places.ts';
import { readZip } from '../../exchange/read-zip.ts';
import { lossesOf, onNode } from './node-run.ts';
import { smallRun, withPlayground } from './playground-page.ts';

const transit = fileURLToPath(new URL('../../../public/transit', import.meta.url));
const grid = `${smallRun}&device=wasm`;
const walk = 'model=RW-Stationary&d=8&epochs=3&batch=16&rates=0.01&plan=cone&simd=plain&device=wasm';

let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'flowgrad-playground-'));
});
afterAll(() => rm(scratch, { recursive: true }));

/** As from a file manager. */
async function dropFolder(page: Page, folder: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 600, y: 400, data });
  }
}

/** A folder without positions, in which something is asked. */
async function writeFamily(folder: string): Promise<void> {
  await mkdir(folder);
  const tables = {
    'manifest.json': '{"format":"flowgrad-dataset","version":1,"name":"family","steps":2}',
    'edges.tsv': 'sender\ttype\treceiver\nann\tparent\tbob\nbob\tparent\tcid\ncid\tfriend\tdot\n',
    'examples.tsv': [
      ...['split\tsource\tdestination\tquery', 'train\tann\tcid\tgrandchild', 'train\tann\tbob\tchild'],
      ...['valid\tbob\tcid\tchild', 'test\tann\tcid\tgrandchild', ''],
    ].join('\n'),
  };
  for (const [name, text] of Object.entries(tables)) await writeFile(join(folder, name), text);
}

it('the network that comes with the page trains as in Node; a saved run brings its data with its hash', async () => {
  const dataset = await readDataFolder(transit);
  const settings: RunSettings = {
    ...{ group: cardOf(dataset), model: 'RW-Stationary', options: { d: 8 } },
    ...{ epochs: 3, batch: 16, learningRates: [0.01] },
  };
  const expected = await onNode('wasm', settings, (trainer) => lossesOf(trainer, 4), dataset);
  const file = join(scratch, 'run.zip');
  await withPlayground({ link: grid }, async ({ page, state, until, runs }) => {
    await page.getByLabel('Trained on').selectOption('Transit network');
    await page.goto(`${page.url().split('#')[0]}#data=transit&${walk}`);
    await until(
      `state.phase === 'ready' && state.runs[0]?.config.epochs === 3 && state.watched.length === 1`,
    );
    for (const step of [1, 2]) {
      await page.getByRole('button', { name: 'Step', exact: true }).click();
      await until(`state.runs[0].step === ${step}`);
    }
    expect((await runs())[0].losses.map(([, loss]) => loss)).toEqual(expected.slice(0, 2));
    // A node that is pointed at is named, a click picks it, and so does its name.
    const map = page.locator('canvas.map').first();
    const { width, height } = (await map.boundingBox())!;
    const positions = {
      x: Float32Array.from(dataset.positions!.x),
      y: Float32Array.from(dataset.positions!.y),
    };
    const { x, y } = mapLayout(graphPlaces(positions, dataset.graph), width, height);
    await map.hover({ position: { x: x[60], y: y[60] } });
    await until('state.marked === 60');
    await map.click({ position: { x: x[60], y: y[60] } });
    await until('state.source === 60 && state.sourceView?.source === 60');
    const name = await state<string>('state.world.nodeNames[40]');
    await page.getByRole('combobox', { name: 'Source' }).fill(name);
    await page.keyboard.press('Enter');
    await until('state.source === 40 && state.sourceView?.source === 40 && state.watched.length === 1');
    await expect.poll(() => page.locator('h2', { hasText: 'Destinations' }).textContent()).toContain(name);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save run' }).click();
    await (await download).saveAs(file);
  });
  const files = readZip(file, new Uint8Array(await readFile(file)));
  const config = files.find(({ path }) => path.endsWith('config.json'))!;
  expect(JSON.parse(new TextDecoder().decode(await config.bytes()))).toMatchObject({
    group: cardOf(dataset),
  });

  // On a page that is on a grid, the run brings the page's own data back.
  await withPlayground({ link: grid }, async ({ page, until, runs }) => {
    await page.locator('[data-open="file"]').setInputFiles(file);
    await until(`state.phase === 'paused' && state.runs[0].step === 2 && state.world.nodeCount === 146`);
    await page.getByRole('button', { name: 'Step', exact: true }).click();
    await until(`state.runs[0].step === 3`);
    expect((await runs())[0].losses.map(([, loss]) => loss)).toEqual(expected.slice(2, 3));
  });
});

it('a folder is opened, laid out and asked; mistakes change nothing; its runs and links wait for it', async () => {
  const [family, broken, other] = ['family', 'broken', 'other'].map((name) => join(scratch, name));
  await writeFamily(family);
  for (const [copy, file] of [
    [broken, 'edges.tsv'],
    [other, 'examples.tsv'],
  ]) {
    await cp(family, copy, { recursive: true });
    await writeFile(
      join(copy, file),
      `${await readFile(join(family, file), 'utf8')}train\tann\tbob\tchild\n`,
    );
  }
  const run = join(scratch, 'family.zip');
  let link = '';
  await withPlayground({ link: `${walk}&size=7&steps=3` }, async ({ page, state, until }) => {
    const folder = page.locator('[data-open="folder"]');
    await folder.setInputFiles(broken);
    await until(`state.notice?.kind === 'problem'`);
    expect(await state('state.notice.text')).toMatch(/^edges\.tsv:5: expected 3 tab-separated fields/);
    expect(await state('[state.phase, state.world.map.size]')).toEqual(['ready', 7]);

    await folder.setInputFiles(family);
    await until(`state.phase === 'ready' && state.layout?.share === 1 && state.watched.length === 1`);
    await page.getByLabel('Query').selectOption('child');
    await until(`state.query === 1 && state.sourceView?.query === 1 && state.watched.length === 1`);
    expect(await state('Array.from(state.sourceView.destinations)')).toEqual([0, 1, 0, 0]);
    await page.getByLabel('Compare with').selectOption('RW-Dynamic');
    await until(`state.phase === 'ready' && state.runs.length === 2 && state.watched.length === 2`);
    // A model that cannot be asked is refused, and what was there stays.
    await page.getByLabel('Compare with').selectOption('GGNN');
    await until(`state.notice?.kind === 'problem' && state.phase === 'ready'`);
    expect(await state('[state.notice.text, state.runs[1].config.model]')).toEqual([
      expect.stringContaining('expected a model that takes queries for family, got GGNN'),
      'RW-Dynamic',
    ]);
    await page.getByRole('button', { name: 'Step', exact: true }).click();
    await until(`state.runs[1].step === 1`);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save RW-Stationary' }).click();
    await (await download).saveAs(run);
    link = page.url().split('#')[1];
    expect(link).toMatch(/^data=family&sha256=[0-9a-f]{64}&.*&query=1$/);
  });

  await withPlayground({ link }, async ({ page, state, until }) => {
    const missing =
      /expected the dataset family \(SHA-256 [0-9a-f]{12}…\) to be open, got another or none \(open the folder/;
    expect(await state('state.notice.text')).toMatch(missing);
    const folder = page.locator('[data-open="folder"]');
    await folder.setInputFiles(family);
    await until(`state.configuration.query === 1 && state.runs.length === 2 && state.phase === 'ready'`);
    await folder.setInputFiles(other);
    await until(`state.datasets.length === 2 && state.phase === 'ready'`);
    expect(await state('state.runs[0].config.group.sha256 === state.datasets[1].sha256')).toBe(true);
    await page.locator('[data-open="file"]').setInputFiles(run);
    await until(`state.phase === 'paused' && state.runs[0].step === 1 && state.runs.length === 1`);
    expect(await state('state.runs[0].config.group.sha256 === state.datasets[0].sha256')).toBe(true);
  });

  // A run without its data says so, also where other data of the same name is open, and goes on when it comes.
  await withPlayground({ link: grid }, async ({ page, state, until }) => {
    const folder = page.locator('[data-open="folder"]');
    await folder.setInputFiles(other);
    await until(`state.datasets.length === 1 && state.phase === 'ready' && state.notice?.kind === 'news'`);
    await page.locator('[data-open="file"]').setInputFiles(run);
    await until(`state.notice?.kind === 'problem'`);
    expect(await state('[state.phase, state.runs[0].step]')).toEqual(['ready', 0]);
    await dropFolder(page, family);
    await until(`state.phase === 'paused' && state.runs[0].step === 1`);
    expect(await state('state.notice.text')).toContain('Opened RW-Stationary with its optimiser');
  });
});

it('the model stays on a dataset on which it can be trained; another is replaced with a word', async () => {
  const asking = join(scratch, 'asking');
  await writeFamily(asking);
  await withPlayground(
    { link: `${walk.replace('RW-Stationary', 'Walker')}&size=7&steps=3` },
    async ({ page, state, until }) => {
      expect(await state('state.runs[0].config.model')).toBe('Walker');
      await page.locator('[data-open="folder"]').setInputFiles(transit);
      await until(
        `state.phase === 'ready' && state.world.nodeCount === 146 && state.notice?.kind === 'news'`,
      );
      await page.getByRole('button', { name: 'Step', exact: true }).click();
      await until(`state.runs[0].step === 1`);
      expect(await state('[state.runs[0].config.model, state.notice.text]')).toEqual([
        'Walker',
        'Opened the dataset transit.',
      ]);
      const folder = page.locator('[data-open="folder"]');
      const replaced =
        'Walker is replaced by GGNN-MulMlp: the examples of family have queries, and Walker takes none.';
      await folder.setInputFiles(asking);
      await until(`state.phase === 'ready' && state.runs[0]?.config.model === 'GGNN-MulMlp'`);
      expect(await state('state.notice.text')).toBe(`Opened the dataset family. ${replaced}`);
      await page.getByLabel('Trained on').selectOption('Grid world');
      await page.getByRole('combobox', { name: 'Model', exact: true }).selectOption('Walker');
      await until(`state.phase === 'ready' && state.runs[0]?.config.model === 'Walker'`);
      await page.getByLabel('Trained on').selectOption('family');
      await until(`state.phase === 'ready' && state.runs[0]?.config.model === 'GGNN-MulMlp'`);
      expect(await state('state.notice.text')).toBe(replaced);
    },
  );
});

it('files that are dropped are opened, and 5,000 nodes with attention and flow are drawn', async () => {
  const side = 71;
  const nodes = Array.from({ length: side * side }, (_, node) => [node % side, Math.floor(node / side)]);
  const at = (x: number, y: number): number => (x < side && y < side ? y * side + x : -1);
  const edges = nodes.flatMap(([x, y], node) =>
    [at(x + 1, y), at(x, y + 1)]
      .filter((to) => to >= 0)
      .flatMap((to) => [`${node}\t${to}`, `${to}\t${node}`]),
  );
  const middle = at(35, 35);
  const tables = {
    'manifest.json': `{"format":"flowgrad-dataset","version":1,"name":"streets","steps":120,"nodes":${nodes.length}}`,
    'nodes.tsv': ['node\tx\ty', ...nodes.map(([x, y], node) => `${node}\t${x}\t${y}`), ''].join('\n'),
    'edges.tsv': ['sender\treceiver', ...edges, ''].join('\n'),
    'examples.tsv': [
      'split\tsource\tdestination',
      ...['train', 'valid', 'test'].map((split) => `${split}\t${middle}\t${middle + 5}`),
      '',
    ].join('\n'),
  };
  await withPlayground(
    { link: `${walk}&size=7&steps=3`, height: 1000 },
    async ({ page, tasksOf, state, until }) => {
      await page.evaluate(`(() => {
      const moved = new DataTransfer();
      for (const [name, text] of Object.entries(${JSON.stringify(tables)})) moved.items.add(new File([text], name));
      document.dispatchEvent(new DragEvent('drop', { dataTransfer: moved, cancelable: true }));
    })()`);
      await until(
        `state.world.nodeCount === ${nodes.length} && state.phase === 'ready' && state.watched.length === 1`,
      );
      await page.getByRole('slider', { name: 'Step of attention' }).fill('117');
      const { frames } = await tasksOf(async () => {
        await page.getByRole('button', { name: 'Play the steps' }).click();
        await until('state.time >= 120');
      });
      const sorted = frames.toSorted((a, b) => a - b);
      const [median, late] = [0.5, 0.95].map((share) => sorted[Math.floor(share * sorted.length)].toFixed(1));
      const seen = await state<number>(
        'state.watched[0].focused[120].filter((amount) => amount >= 1e-4).length',
      );
      console.log(
        `5,041 nodes, ${seen} with attention: ${frames.length} frames, median ${median} ms, 95 % below ${late} ms`,
      );
      expect(seen).toBeGreaterThan(1000);
      expect(frames.length).toBeGreaterThan(10);
    },
  );
});
