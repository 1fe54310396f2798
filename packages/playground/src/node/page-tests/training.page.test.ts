import { modelNames } from '@flowgrad/models';
import { expect, it } from 'vitest';
import { lossesOf, onNode } from './node-run.ts';
import { smallConfig, smallRun, withPlayground } from './playground-page.ts';

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, each) => sum + each, 0) / values.length;
const steps = 20;

/** Once for both tests that compare with it: Node's adapter in software compiles the kernels for seconds. */
let losses: Promise<number[]> | undefined;
const onWebGpu = (): Promise<number[]> =>
  (losses ??= onNode('webgpu', smallConfig, (trainer) => lossesOf(trainer, steps)));

it.for(['wasm', 'webgpu'] as const)(
  'on %s, a 12×12 world trains to a falling loss, and its first 20 losses are those of Node',
  async (backend) => {
    const expected = await (backend === 'webgpu'
      ? onWebGpu()
      : onNode(backend, smallConfig, (trainer) => lossesOf(trainer, steps)));
    await withPlayground(
      { link: `${smallRun}&device=${backend}` },
      async ({ page, state, until, runs, tasksOf }) => {
        expect(await state('state.device.backend')).toBe(backend);
        const { longest } = await tasksOf(async () => {
          await page.getByRole('button', { name: 'Start' }).click();
          await until(`state.runs[0].losses.length >= 40`);
        });
        await page.getByRole('button', { name: 'Pause' }).click();
        await until(`state.phase === 'paused'`);
        const [{ losses, epochs }] = await runs();
        const values = losses.map(([, loss]) => loss);
        expect(losses.map(([step]) => step)).toEqual(values.map((_, i) => i + 1));
        if (backend === 'wasm') expect(values.slice(0, steps)).toEqual(expected);
        // Chromium and Node have the same driver but not the same compiler of shaders.
        else for (const [i, loss] of expected.entries()) expect(values[i]).toBeCloseTo(loss, 5);
        expect(meanOf(values.slice(-10))).toBeLessThan(0.8 * meanOf(values.slice(0, 10)));
        expect(epochs.length).toBeGreaterThan(0);
        expect(epochs[0].test.raw.mrr).toBeGreaterThan(0);
        expect(longest).toBeLessThan(100);
        const differences = expected.map((loss, i) => Math.abs(values[i] - loss));
        console.log(
          `${backend}: longest task while training ${longest.toFixed(1)} ms, losses differ by at most ${Math.max(...differences)}`,
        );
      },
    );
  },
);

it('when the device is lost, training goes on with the same losses, and the page says so', async () => {
  const expected = (await onWebGpu()).slice(0, 12);
  await withPlayground(
    { link: `${smallRun}&device=webgpu`, ownChromium: true },
    async ({ page, browser, until, runs, state }) => {
      await page.getByRole('button', { name: 'Start' }).click();
      await until('state.runs[0].step >= 4');
      await (await browser.newBrowserCDPSession()).send('Browser.crashGpuProcess');
      await until(`state.notice?.text.startsWith('The device was lost. Training goes on from step')`);
      await until(`state.runs[0].step >= 12`);
      await page.getByRole('button', { name: 'Pause' }).click();
      await until(`state.phase === 'paused'`);
      const [{ losses }] = await runs();
      expect(losses.map(([step]) => step)).toEqual(losses.map((_, i) => i + 1));
      // Whether Chromium gives another GPU device or none after a crash is up to it.
      expect(['webgpu', 'wasm']).toContain(await state('state.device.backend'));
      for (const [i, loss] of expected.entries()) expect(losses[i][1]).toBeCloseTo(loss, 3);
    },
  );
});

it('pausing, single steps and picking sources change nothing in the result', async () => {
  const expected = await onNode('wasm', smallConfig, (trainer) => lossesOf(trainer, 12));
  await withPlayground({ link: `${smallRun}&device=wasm` }, async ({ page, until, runs }) => {
    const map = page.locator('canvas.map').first();
    await page.getByRole('button', { name: 'Step', exact: true }).click();
    await until(`state.runs[0].step === 1`);
    await map.click({ position: { x: 150, y: 150 } });
    await page.getByRole('button', { name: 'Go on' }).click();
    await until(`state.runs[0].step >= 5`);
    await page.getByRole('button', { name: 'Pause' }).click();
    await until(`state.phase === 'paused'`);
    await map.click({ position: { x: 300, y: 200 } });
    const [{ step: reached }] = await runs();
    for (let step = reached + 1; step <= Math.max(12, reached + 2); step++) {
      await page.getByRole('button', { name: 'Step', exact: true }).click();
      await until(`state.runs[0].step === ${step}`);
    }
    const [{ losses }] = await runs();
    expect(losses.slice(0, 12).map(([, loss]) => loss)).toEqual(expected);
  });
});

it('stop ends a run, start then begins anew, and reset goes back to the start values', async () => {
  await withPlayground({ link: `${smallRun}&device=wasm` }, async ({ page, until, runs, state }) => {
    const start = page.getByRole('button', { name: 'Start' });
    await start.click();
    await until(`state.runs[0].step >= 3`);
    const [{ losses: first }] = await runs();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await until(`state.phase === 'stopped'`);
    await start.click();
    await until(`state.phase === 'training' && state.runs[0].losses.length >= 3`);
    await page.getByRole('button', { name: 'Pause' }).click();
    await until(`state.phase === 'paused'`);
    const [{ losses: second }] = await runs();
    expect(second.slice(0, 3)).toEqual(first.slice(0, 3));
    await page.getByRole('button', { name: 'Reset' }).click();
    await until(`state.phase === 'ready'`);
    expect(await state('state.runs[0].step')).toBe(0);
    expect(await state('state.runs[0].losses.length')).toBe(0);
  });
});

it('every model trains and is watched', async () => {
  const link = smallRun.replace('size=12', 'size=6').replace('d=16', 'd=20');
  await withPlayground({ link: `${link}&device=wasm` }, async ({ page, state, until }) => {
    for (const model of modelNames) {
      await page.getByRole('combobox', { name: 'Model', exact: true }).selectOption(model);
      await until(`state.phase !== 'preparing' && state.runs[0]?.config.model === '${model}'`);
      const before = await state<number>('state.runs[0].step');
      await page.getByRole('button', { name: 'Step', exact: true }).click();
      await until(`state.runs[0].step === ${before + 1} && state.watched[0]?.step === ${before + 1}`);
      const sum = await state<number>('state.watched[0].probabilities.reduce((sum, each) => sum + each, 0)');
      expect(sum, model).toBeCloseTo(1, 5);
      expect(await state('state.notice?.text'), model).toBeUndefined();
    }
    expect(modelNames.length).toBeGreaterThanOrEqual(14);
  });
});
