import type { BrowserCommand } from 'vitest/node';
import type { Page } from 'playwright-core';

declare module 'vitest/browser' {
  interface BrowserCommands {
    /** What the page has complained of since the last call; the first call starts the watch. */
    complaints: () => Promise<string[]>;
  }
}

const heard = new WeakMap<Page, string[]>();

/**
 * Errors and warnings on the console of a page, and errors nobody caught. Asked of the browser and not of the
 * page's `console`, for much of it is said by the browser itself: a file that does not load, a WebGPU call that
 * is not valid.
 */
export const complaints: BrowserCommand<[]> = async ({ page }) => {
  const before = heard.get(page);
  if (before !== undefined) {
    // What was said before this answer has arrived with it: the test itself speaks through another channel.
    await page.evaluate('0');
    return before.splice(0);
  }
  const list: string[] = [];
  heard.set(page, list);
  page.on('pageerror', (error) => list.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) list.push(`${message.type()}: ${message.text()}`);
  });
  return [];
};
