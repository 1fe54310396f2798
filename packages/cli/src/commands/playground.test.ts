import { expect, test } from 'vitest';
import { runCaptured } from '../testing/run-captured.ts';

test('playground serves the page, isolated for threads, until it is stopped', async () => {
  const stop = new AbortController();
  let told: (url: string) => void = () => undefined;
  const address = new Promise<string>((resolve) => (told = resolve));
  const running = runCaptured('playground', {
    signal: stop.signal,
    onOutput: (text) => {
      const url = /http:\/\/127\.0\.0\.1:\d+\//.exec(text)?.[0];
      if (url !== undefined) told(url);
    },
  });
  const url = await address;
  const page = await fetch(url);
  expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin');
  expect(await page.text()).toContain('<title>');
  stop.abort();
  expect((await running).code).toBe(0);
  await expect(fetch(url)).rejects.toThrow();
});
