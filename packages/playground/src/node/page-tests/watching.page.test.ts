import { expect, it } from 'vitest';
import { smallRun, withPlayground } from './playground-page.ts';

const sumsOf = (readout: string): { all: number; seen: number } => {
  const [, all, seen] = /sum ([\d.]+), drawn ([\d.]+)/.exec(readout) ?? [];
  return { all: Number(all), seen: Number(seen) };
};

it('a source is picked on the map, and the attention drawn at each step sums to 1', async () => {
  await withPlayground({ link: `${smallRun}&device=wasm&source=0,0` }, async ({ page, state, until }) => {
    const map = page.locator('canvas.map').first();
    const { width, height } = (await map.boundingBox())!;
    // The node nearest to the middle, by the map's own numbers.
    const { node, x, y } = await state<{ node: number; x: number; y: number }>(`(() => {
      const { map } = state.world;
      const far = (node) => Math.hypot(map.x[node] - 5.5, map.y[node] - 5.5);
      const node = Array.from(map.x, (_, node) => node).sort((a, b) => far(a) - far(b))[0];
      return { node, x: map.x[node], y: map.y[node] };
    })()`);
    const cell = width / 12.6;
    await map.click({ position: { x: (x + 0.8) * cell, y: height - (y + 0.8) * cell } });
    await until(
      `state.source === ${node} && state.sourceView?.source === ${node} && state.watched.length === 1`,
    );
    await until(`state.watched[0].focused[0][${node}] === 1`);
    expect(page.url()).toContain(`source=${x},${y}`);

    const range = page.getByRole('slider', { name: 'Step of attention' });
    const readout = page.locator('[data-readout="0"]');
    await range.focus();
    await page.keyboard.press('Home');
    for (let t = 0; t <= 4; t++) {
      await expect.poll(() => readout.textContent()).toContain(`Attention at t = ${t}: `);
      const { all, seen } = sumsOf((await readout.textContent())!);
      expect(all).toBeCloseTo(1, 4);
      expect(seen).toBeGreaterThan(0.99);
      await page.keyboard.press('ArrowRight');
    }
    expect(await state('state.time')).toBe(4);
    expect(await state<number>('state.sourceView.destinations.reduce((sum, p) => sum + p, 0)')).toBeCloseTo(
      1,
      9,
    );
    expect(await state('state.sourceView.rollouts.every((walk) => walk[0] === state.source)')).toBe(true);
  });
});

it('keys play and scrub the steps, and move the source', async () => {
  await withPlayground({ link: `${smallRun}&device=wasm` }, async ({ page, state, until }) => {
    await page.locator('canvas.map').first().focus();
    await page.keyboard.press(',');
    await until('state.time === 3');
    await page.keyboard.press('.');
    await until('state.time === 4');
    await page.keyboard.press(' ');
    await until('state.isPlaying && state.time > 0.2 && state.time < 4');
    await page.keyboard.press(' ');
    await until('!state.isPlaying && Number.isInteger(state.time)');
    const before = await state('state.source');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowUp');
    await until(`state.source !== ${String(before)}`);
  });
});

it('two models stand side by side on one source, and each other’s training is left alone', async () => {
  await withPlayground({ link: `${smallRun}&device=wasm` }, async ({ page, state, until, runs }) => {
    await page.getByRole('button', { name: 'Step', exact: true }).click();
    await until(`state.runs[0].step === 1`);
    const [{ losses: alone }] = await runs();
    await page.getByLabel('Compare with').selectOption('GGNN');
    await until(`state.runs.length === 2 && state.phase === 'paused' && state.watched.length === 2`);
    await expect.poll(() => page.locator('canvas.map:visible').count()).toBe(2);
    const [kept, second] = await runs();
    expect(kept.losses).toEqual(alone);
    expect(second.step).toBe(0);
    // A regular network has no attention to watch, and says so; its prediction is a distribution.
    await page.getByRole('slider', { name: 'Step of attention' }).fill('2');
    await expect
      .poll(() => page.locator('[data-readout="1"]').textContent())
      .toContain('no attention before the last step');
    await page.getByRole('radio', { name: 'Prediction' }).check();
    await expect.poll(() => page.locator('[data-readout="1"]').textContent()).toContain('sum 1.0000');
    const table = page.getByRole('region', { name: 'Destinations' }).getByRole('table');
    expect(await table.getByRole('columnheader').allTextContents()).toEqual([
      'Cell',
      'GGNN-MulMlp',
      'GGNN',
      'Exact',
    ]);
    await page.getByRole('button', { name: 'Step', exact: true }).click();
    await until(`state.runs[0].step === 2 && state.runs[1].step === 1`);
    expect(await state('state.phase')).toBe('paused');
  });
});
