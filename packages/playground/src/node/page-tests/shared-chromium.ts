/** One Chromium for all tests of the page: to start it takes as long as most of them. */
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** How to start one. */
    chromium: { readonly executablePath: string; readonly args: string[] };
    /** Where the one that all share listens. */
    sharedChromium: string;
  }
}

/** Vitest calls it before the first file, and what it returns after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await chromium.launchServer({ ...project.config.provide.chromium, host: '127.0.0.1' });
  project.provide('sharedChromium', server.wsEndpoint());
  return () => server.close();
}
