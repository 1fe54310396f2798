import type * as playground from '@flowgrad/playground/node';
import { afterEach, expect, test, vi } from 'vitest';
import { runCaptured } from '../testing/run-captured.ts';

/** What is wrong with the usual port, by its code. */
let problem: string | undefined;
vi.mock('@flowgrad/playground/node', async (importOriginal) => {
  const { servePlayground, ...rest } = await importOriginal<typeof playground>();
  const serve: typeof servePlayground = ({ port = 0, ...options } = {}) =>
    port === 0 || problem === undefined
      ? servePlayground({ port, ...options })
      : Promise.reject(
          Object.assign(new Error(`listen: expected a port, got ${problem}`), { code: problem }),
        );
  return { ...rest, servePlayground: serve };
});
afterEach(() => (problem = undefined));

test('playground takes another port if the usual one is in use, and for no other reason', async () => {
  problem = 'EADDRINUSE';
  expect(await runCaptured('playground', { signal: AbortSignal.abort() })).toMatchObject({ code: 0 });
  problem = 'EMFILE';
  const { code, stderr } = await runCaptured('playground', { signal: AbortSignal.abort() });
  expect(code).toBe(1);
  expect(stderr).toContain('EMFILE');
});

test('playground --port 0 takes any port that is free', async () => {
  const { code, stdout } = await runCaptured('playground --port 0', { signal: AbortSignal.abort() });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/at http:\/\/127\.0\.0\.1:[1-9]\d*\//)]);
});

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
