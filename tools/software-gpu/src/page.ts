/** A page in a headless Chromium, for tests that look at one from outside. */
import { chromium, type Page } from 'playwright-core';
import { chromiumArguments, chromiumExecutable } from './chromium.ts';

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
}

/** Runs `use` on an empty page of a new Chromium. Fails if the page complained, even if `use` did not. */
export async function withPage<T>(
  use: (page: Page) => Promise<T>,
  { width = 1280, height = 800 }: PageOptions = {},
): Promise<T> {
  const browser = await chromium.launch({
    executablePath: await chromiumExecutable(),
    args: [...chromiumArguments],
  });
  try {
    const page = await browser.newPage({ viewport: { width, height } });
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    const result = await use(page);
    if (complaints.length > 0) {
      throw new Error(
        `withPage: expected a page without errors, got ${complaints.length}:\n${complaints.join('\n')}`,
      );
    }
    return result;
  } finally {
    await browser.close();
  }
}

/** The page at `url`, once its load event is over and its fonts are there, as a PNG. */
export function screenshot(url: string, options: PageOptions = {}): Promise<Uint8Array> {
  return withPage(async (page) => {
    await page.goto(url);
    const take = (): Promise<Buffer> => page.screenshot({ animations: 'disabled', caret: 'hide' });
    // On a busy machine Chromium sometimes has no frame to give yet; it has one when it is asked again.
    return take().catch((error: Error) => {
      if (!error.message.includes('Unable to capture screenshot')) throw error;
      return take();
    });
  }, options);
}
