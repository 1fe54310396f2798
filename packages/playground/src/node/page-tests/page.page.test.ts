import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { lossesOf, onNode } from './node-run.ts';
import { smallConfig, smallRun, withPlayground } from './playground-page.ts';

it('the first load is at most 200 KB after gzip', async () => {
  const folder = new URL('../../../dist/page/', import.meta.url);
  await withPlayground({ link: `${smallRun}&device=wasm` }, async ({ page }) => {
    const loaded = await page.evaluate<string[]>(
      `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname.slice(1))`,
    );
    for (const part of [/index-.*css$/, /index-.*js$/, /training\.worker-/, /world\.worker-/]) {
      expect(loaded).toContainEqual(expect.stringMatching(part));
    }
    const sizes = ['index.html', ...new Set(loaded)].map(
      (name) => gzipSync(readFileSync(new URL(name, folder))).length,
    );
    const total = sizes.reduce((sum, size) => sum + size, 0);
    console.log(`first load: ${(total / 1024).toFixed(0)} KB after gzip`);
    expect(total).toBeLessThanOrEqual(200 * 1024);
  });
});

it('from a host that does not isolate, it works with one thread', async () => {
  const expected = await onNode('wasm', smallConfig, (trainer) => lossesOf(trainer, 2));
  await withPlayground(
    { link: `${smallRun}&device=wasm`, isolated: false },
    async ({ page, state, until, runs }) => {
      expect(await page.evaluate('crossOriginIsolated')).toBe(false);
      expect(await state('state.device.details')).toBe(
        '1 thread, plain SIMD (one thread, as this host does not isolate the page)',
      );
      await page.getByRole('button', { name: 'Start' }).click();
      await until('state.runs[0].losses.length >= 2');
      expect((await runs())[0].losses.slice(0, 2).map(([, loss]) => loss)).toEqual(expected);
    },
  );
});

it('without a GPU it says so, and trains on WebAssembly', async () => {
  await withPlayground({ link: `${smallRun}&device=auto` }, async ({ page, state }) => {
    expect(await state('state.device.backend')).toBe('wasm');
    await expect
      .poll(() => page.locator('.notice:visible').textContent())
      .toContain('WebGPU found no GPU here: training runs on WebAssembly instead.');
  });
});

it('a 64×64 world with attention and flow is drawn at 60 frames a second', async () => {
  const link = smallRun
    .replace('size=12&steps=4', 'size=64&steps=16')
    .replace('GGNN-MulMlp', 'RW-Stationary');
  await withPlayground(
    { link: `${link}&device=wasm&source=20,20`, height: 1000 },
    async ({ page, tasksOf, until, state }) => {
      await page.getByText('Latent directions').click();
      await page.getByText('True rollouts').click();
      const { frames, longest } = await tasksOf(async () => {
        await page.getByRole('button', { name: 'Play the steps' }).click();
        await until('state.time > 0 && state.time < 15');
        await until('state.time > 15');
      });
      expect(await state('state.world.map.size')).toBe(64);
      const sorted = frames.toSorted((a, b) => a - b);
      const median = sorted[sorted.length >> 1];
      const late = sorted[Math.floor(sorted.length * 0.95)];
      console.log(
        `64×64: ${frames.length} frames, median ${median.toFixed(1)} ms, 95 % below ${late.toFixed(1)} ms, longest task ${longest.toFixed(1)} ms`,
      );
      expect(frames.length).toBeGreaterThan(10);
      expect(late).toBeLessThan(1000 / 60);
    },
  );
});

it('on a phone the map comes first, and nothing is wider than the screen', async () => {
  await withPlayground(
    { link: `${smallRun}&device=wasm&model2=GGNN-NoAct`, width: 390, height: 844 },
    async ({ page }) => {
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      const map = (await page.locator('canvas.map').first().boundingBox())!;
      expect(map.width).toBeGreaterThan(300);
      expect(map.y + map.height).toBeLessThan(844);
      for (const form of await page.locator('.making .panel').all()) {
        expect((await form.boundingBox())!.y).toBeGreaterThan(map.y + map.height);
      }
    },
  );
});

it('on a phone the word about a missing GPU scrolls away, and answers to what a person does stay in sight', async () => {
  await withPlayground({ link: `${smallRun}&device=auto`, width: 390, height: 844 }, async ({ page }) => {
    const notice = page.locator('.notice:visible');
    const bottom = async (): Promise<number> => {
      const { y, height } = (await notice.boundingBox())!;
      return y + height;
    };
    await expect.poll(() => notice.textContent()).toContain('WebGPU found no GPU here');
    await page.evaluate('scrollTo(0, 400)');
    await expect.poll(bottom).toBeLessThan(0);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await expect.poll(() => notice.textContent()).toContain('The link is on the clipboard.');
    await expect.poll(bottom).toBeGreaterThan(0);
  });
});

it('every control has a name', async () => {
  await withPlayground({ link: `${smallRun}&device=wasm` }, async ({ page }) => {
    for (const role of [
      'button',
      'combobox',
      'spinbutton',
      'textbox',
      'slider',
      'checkbox',
      'radio',
      'img',
      'application',
    ] as const) {
      for (const found of await page.getByRole(role).all()) {
        expect(await found.ariaSnapshot(), role).toMatch(new RegExp(`^- '?${role} "`));
      }
    }
    expect(await page.getByRole('status').count()).toBe(1);
  });
});
