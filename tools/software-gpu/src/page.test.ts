import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { screenshot, withPage } from './page.ts';

const html = `<!doctype html><link rel="icon" href="data:,">
  <body style="margin: 0; background: #c00; font: 40px sans-serif">Attention</body>`;
let server: Server;
let address: string;
beforeAll(async () => {
  server = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(html));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => server.close());

test('the Chromium from npm has an adapter for WebGPU', async () => {
  const architecture = await withPage(async (page) => {
    await page.goto(address);
    // The page's code, as text: this file is type-checked for Node.
    return page.evaluate<string>(
      'navigator.gpu.requestAdapter().then((adapter) => adapter.info.architecture)',
    );
  });
  expect(architecture).toBe('swiftshader');
});

test('what a page says on console.error, and what it throws, fails', async () => {
  const run = (script: string) =>
    withPage(async (page) => {
      await page.goto(address);
      await page.evaluate(`${script}; new Promise((done) => setTimeout(done, 50))`);
    });
  await expect(run(`console.error('broken wire')`)).rejects.toThrow(/got 1:\nbroken wire/);
  await expect(run(`setTimeout(() => { throw new Error('broken page') })`)).rejects.toThrow(/broken page/);
  await expect(run(`console.log('all is well')`)).resolves.toBeUndefined();
});

test('a screenshot is a PNG of the asked size that shows the page', async () => {
  const png = Buffer.from(await screenshot(address, { width: 320, height: 200 }));
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([320, 200]);
  // The picture itself, read back by the browser: red at the bottom, some black letters at the top.
  const source = `data:image/png;base64,${png.toString('base64')}`;
  const { corner, dark } = await withPage((page) =>
    page.evaluate<{ corner: number[]; dark: number }>(`(async () => {
      const image = await createImageBitmap(await (await fetch('${source}')).blob());
      const context = new OffscreenCanvas(320, 200).getContext('2d');
      context.drawImage(image, 0, 0);
      const text = context.getImageData(0, 0, 320, 60).data;
      return {
        corner: Array.from(context.getImageData(319, 199, 1, 1).data),
        dark: text.filter((value, i) => i % 4 === 0 && value < 40).length,
      };
    })()`),
  );
  expect(corner).toEqual([0xcc, 0, 0, 255]);
  expect(dark).toBeGreaterThan(200);
});
