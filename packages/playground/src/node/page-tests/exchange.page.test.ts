import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { evaluateSplit, predict } from '@flowgrad/evaluation';
import type { Prediction } from '@flowgrad/evaluation';
import { readConfig, readSnapshot, trainRun } from '@flowgrad/evaluation/node';
import { loadParameters } from '@flowgrad/nn';
import { openWasm } from '@flowgrad/tensor/node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readZip } from '../../exchange/read-zip.ts';
import { lossesOf, onNode } from './node-run.ts';
import { smallConfig, smallRun, withPlayground } from './playground-page.ts';

let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'flowgrad-playground-'));
});
afterAll(() => rm(scratch, { recursive: true }));

it('a checkpoint trained in Node predicts the same here', async () => {
  const file = join(scratch, 'node.safetensors');
  const source = 30;
  const expected = await onNode('wasm', smallConfig, async (trainer) => {
    await lossesOf(trainer, 15);
    await writeFile(file, (await trainer.save()).parameters);
    const predictions = predict(trainer, [source], { attention: 'flowing' });
    return (await predictions.next()).value as Prediction;
  });
  // Another world and model, which the file replaces.
  const link = smallRun.replace('size=12', 'size=7').replace('GGNN-MulMlp', 'RW-Stationary');
  await withPlayground({ link: `${link}&device=wasm` }, async ({ page, state, until }) => {
    await page.locator('[data-open="file"]').setInputFiles(file);
    await until(`state.world.map.size === 12 && state.phase === 'ready' && state.watched.length === 1`);
    expect(await state('state.configuration.runs[0].model')).toBe('GGNN-MulMlp');
    const [x, y] = await state<[number, number]>(
      `[state.world.map.x[${source}], state.world.map.y[${source}]]`,
    );
    await moveSourceTo(source);
    expect(await state('Array.from(state.watched[0].probabilities)')).toEqual([...expected.scores]);
    expect(await state('state.watched[0].focused.map((each) => Array.from(each))')).toEqual(
      expected.attention!.focused.map((each) => [...each]),
    );
    expect(await state('state.watched[0].flowing.map((each) => Array.from(each))')).toEqual(
      expected.attention!.flowing!.map((each) => [...each]),
    );

    async function moveSourceTo(node: number): Promise<void> {
      const { width, height } = (await page.locator('canvas.map').first().boundingBox())!;
      const cell = width / 12.6;
      const position = { x: (x + 0.8) * cell, y: height - (y + 0.8) * cell };
      await page.locator('canvas.map').first().click({ position });
      await until(`state.source === ${node} && state.watched[0]?.focused[0][${node}] === 1`);
    }
  });
});

it('a run folder of Node goes on here as it would there', async () => {
  const folder = join(scratch, 'run');
  const stopping = new AbortController();
  await trainRun({
    folder,
    settings: smallConfig,
    openBackend: () => openWasm({ simd: 'plain' }),
    signal: stopping.signal,
    onEvent: (event) => {
      if (event.kind === 'step' && event.step === 25) stopping.abort();
    },
  });
  const { step, losses } = await onNode('wasm', smallConfig, async (trainer) => {
    const straight = await lossesOf(trainer, 30);
    return { step: 25, losses: straight };
  });
  await withPlayground({ link: `${smallRun}&device=wasm` }, async ({ page, until, runs }) => {
    await page.locator('[data-open="folder"]').setInputFiles(folder);
    await until(`state.phase === 'paused' && state.runs[0].step === ${step} && state.watched.length === 1`);
    expect((await runs())[0].epochs).toHaveLength(1);
    for (let next = step + 1; next <= step + 3; next++) {
      await page.getByRole('button', { name: 'Step', exact: true }).click();
      await until(`state.runs[0].step === ${next}`);
    }
    expect((await runs())[0].losses.map(([, loss]) => loss)).toEqual(losses.slice(step, step + 3));
  });
});

it('a run saved here goes on here and in Node as if it had not stopped', async () => {
  const further = 3;
  let [steps, file] = [0, ''];
  await withPlayground({ link: `${smallRun}&device=wasm` }, async ({ page, state, until, runs }) => {
    // Some steps into the second epoch: its optimiser, the order of its examples and its losses have to be there.
    steps = (await state<number>('state.runs[0].stepsPerEpoch')) + 2;
    for (let step = 1; step <= steps; step++) {
      await page.getByRole('button', { name: 'Step', exact: true }).click();
      await until(`state.runs[0].step === ${step}`);
    }
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save run' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe(`GGNN-MulMlp-step-${steps}.zip`);
    file = join(scratch, saved.suggestedFilename());
    await saved.saveAs(file);
    expect((await runs())[0].epochs).toHaveLength(1);
  });
  const straight = await onNode('wasm', smallConfig, (trainer) => lossesOf(trainer, steps + further));
  const expected = straight.slice(steps);

  await withPlayground({ link: `${smallRun}&device=wasm` }, async ({ page, until, runs }) => {
    await page.locator('[data-open="file"]').setInputFiles(file);
    await until(`state.phase === 'paused' && state.runs[0].step === ${steps} && state.watched.length === 1`);
    await expect.poll(() => page.locator('.notice:visible').textContent()).toContain('with its optimiser');
    for (let step = steps + 1; step <= steps + further; step++) {
      await page.getByRole('button', { name: 'Step', exact: true }).click();
      await until(`state.runs[0].step === ${step}`);
    }
    const [{ losses, epochs }] = await runs();
    expect(losses).toEqual(expected.map((loss, i) => [steps + 1 + i, loss]));
    expect(epochs.map(({ epoch }) => epoch)).toEqual([1]);
  });

  for (const { path, bytes } of readZip(file, new Uint8Array(await readFile(file)))) {
    await mkdir(join(scratch, dirname(path)), { recursive: true });
    await writeFile(join(scratch, path), await bytes());
  }
  const folder = join(scratch, `GGNN-MulMlp-step-${steps}`);
  expect(await readConfig(folder)).toEqual(smallConfig);
  const stopping = new AbortController();
  const losses: number[] = [];
  const { epochs } = await trainRun({
    folder,
    resume: true,
    openBackend: () => openWasm({ simd: 'plain' }),
    signal: stopping.signal,
    onEvent: (event) => {
      if (event.kind === 'step' && losses.push(event.loss) === further) stopping.abort();
    },
  });
  expect(losses).toEqual(expected);
  expect(epochs).toHaveLength(1);
  const inNode = await onNode('wasm', smallConfig, async (trainer) => {
    loadParameters(trainer.model, (await readSnapshot(folder, 1))!);
    return { valid: await evaluateSplit(trainer, 'valid'), test: await evaluateSplit(trainer, 'test') };
  });
  expect(inNode).toEqual({ valid: epochs[0].valid, test: epochs[0].test });
});

it('pictures are exported as SVG and PNG, with the flow that is shown', async () => {
  await withPlayground({ link: `${smallRun}&device=wasm` }, async ({ page, state, until }) => {
    await page.getByRole('slider', { name: 'Step of attention' }).fill('2');
    await until('state.time === 2');
    for (const kind of ['SVG', 'PNG']) {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: kind, exact: true }).click();
      const file = join(scratch, (await download).suggestedFilename());
      await (await download).saveAs(file);
      const bytes = await readFile(file);
      if (kind === 'SVG') {
        expect(bytes.toString()).toMatch(/^<svg [^]*GGNN-MulMlp-attention-t2[^]*<circle/);
        const flowing = await state<number>(`(() => {
          const { senders, receivers } = state.world;
          const isSeen = (amount, edge) => amount >= 1e-4 && senders[edge] !== receivers[edge];
          return Array.from(state.watched[0].flowing[2]).filter(isSeen).length;
        })()`);
        expect(flowing).toBeGreaterThan(10);
        expect(bytes.toString().split('fill-opacity')).toHaveLength(1 + flowing);
      } else expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    }
  });
});

it('a link to a world of one’s own opens that world', async () => {
  const link =
    'a1=1&b1=0&a2=1&b2=0&omega=0.3&lambda1=0&lambda2=0&phi=0.5&history=none' +
    '&size=8&steps=3&sigma=0.4&nodeDrop=0.05&edgeDrop=0.1&rollouts=5&seed=9&model=RW-Dynamic&d=8&batch=4&device=wasm';
  await withPlayground({ link }, async ({ page, state }) => {
    expect(await state('state.world.parameters')).toMatchObject({
      ...{ size: 8, steps: 3, sigma: 0.4, nodeDrop: 0.05, edgeDrop: 0.1, rollouts: 5 },
      latentDirection: { a1: 1, omega: 0.3, phi: 0.5, history: 'none' },
    });
    expect(page.url()).toContain(link.split('&model')[0]);
    await expect.poll(() => page.getByLabel('Dynamics').inputValue()).toBe('OWN');
  });
});
