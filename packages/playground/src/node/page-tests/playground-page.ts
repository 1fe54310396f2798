/** The built page in a Chromium, for tests. */
import { resolveRun } from '@flowgrad/evaluation';
import type { EpochMetrics, RunConfig } from '@flowgrad/evaluation';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { inject } from 'vitest';
import { servePlayground } from '../serve-playground.ts';
import { pageTasks } from './page-tasks.ts';
import type { PageTasks } from './page-tasks.ts';

/** A small world and model, as a link; plain SIMD has the same bits in Node and in Chromium. */
export const smallRun = [
  'dynamics=SINE&size=12&steps=4&sigma=0.2&nodeDrop=0.1&edgeDrop=0&rollouts=10&seed=1',
  'model=GGNN-MulMlp&shuffling=1&d=16&epochs=30&batch=8&rates=0.01&plan=cone&simd=plain',
].join('&');

/** The same, for Node. */
export const smallConfig: RunConfig = resolveRun({
  group: 'SINE-SZ12-STP4-NDRP-STD0.2',
  model: 'GGNN-MulMlp',
  options: { d: 16 },
  epochs: 30,
  batch: 8,
  learningRates: [0.01],
});

/** What `flowgrad.state()` tells of a run. */
export interface SeenRun {
  readonly step: number;
  readonly losses: readonly (readonly [step: number, loss: number])[];
  readonly epochs: readonly EpochMetrics[];
}

export interface PlaygroundPage {
  readonly page: Page;
  readonly browser: Browser;
  /** Whatever the page or a worker complained of so far: errors on the console, and those nobody caught. */
  readonly complaints: string[];
  /** A JavaScript expression of `state`, computed in the page. */
  state<T>(this: void, expression: string): Promise<T>;
  /** Waits until an expression of `state` holds. */
  until(this: void, expression: string): Promise<void>;
  runs(this: void): Promise<readonly SeenRun[]>;
  /** What the page's own thread does while `work` is under way. */
  tasksOf(this: void, work: () => Promise<void>): Promise<PageTasks>;
}

export interface OpenOptions {
  readonly link?: string;
  readonly isolated?: boolean;
  readonly width?: number;
  readonly height?: number;
  /** For tests that break it: not the Chromium that all share. */
  readonly ownChromium?: boolean;
}

/** Opens the page, waits until it is ready to train, and runs `use`. Complaints fail it. */
export async function withPlayground(
  { link = smallRun, isolated = true, width = 1280, height = 900, ownChromium = false }: OpenOptions,
  use: (page: PlaygroundPage) => Promise<void>,
): Promise<void> {
  const server = await servePlayground({ isolated });
  const browser = ownChromium
    ? await chromium.launch(inject('chromium'))
    : await chromium.connect(inject('sharedChromium'));
  try {
    const page = await browser.newPage({ viewport: { width, height }, acceptDownloads: true });
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(`${server.url}#${link}`);
    const until = async (expression: string): Promise<void> => {
      const body = `(() => { const state = globalThis.flowgrad?.state(); return state && (${expression}); })()`;
      await page.waitForFunction(body, undefined, { timeout: 150_000, polling: 50 });
    };
    const state = <T>(expression: string): Promise<T> =>
      page.evaluate<T>(`(() => { const state = globalThis.flowgrad.state(); return ${expression}; })()`);
    await until(`state.phase === 'ready' && state.watched.length > 0 && state.sourceView`);
    await use({
      page,
      browser,
      complaints,
      state,
      until,
      runs: () => state('state.runs.map(({ step, losses, epochs }) => ({ step, losses, epochs }))'),
      tasksOf: async (work) => {
        await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
        await work();
        return pageTasks(await browser.stopTracing());
      },
    });
    if (complaints.length > 0) throw new Error(`page: expected no complaints, got\n${complaints.join('\n')}`);
  } finally {
    await browser.close();
    await server.close();
  }
}
