/** The readers of the playground's page. It exports none of them, so they are bundled from its sources. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { workspace } from '../flowgrad.ts';

export interface OpenedFile {
  readonly path: string;
  readonly size: number;
  bytes(this: void): Promise<Uint8Array>;
}

export interface PageReaders {
  fromLink(this: void, link: string): unknown;
  readRun(this: void, files: readonly OpenedFile[]): Promise<unknown>;
}

const sources = join(workspace, 'packages/playground/src');

/** Writes the bundle into a folder and says where. */
export async function bundlePageReaders(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const entry = join(folder, 'page-readers.js');
  await writeFile(
    entry,
    `export { fromLink } from ${JSON.stringify(join(sources, 'configuration/link.ts'))};
     export { readRun } from ${JSON.stringify(join(sources, 'exchange/read-run.ts'))};`,
  );
  await build({
    configFile: false,
    logLevel: 'silent',
    root: workspace,
    ssr: { noExternal: true },
    build: {
      ssr: entry,
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'page-readers.mjs' } },
    },
  });
  return join(folder, 'page-readers.mjs');
}

export const loadPageReaders = async (bundle: string): Promise<PageReaders> =>
  (await import(pathToFileURL(bundle).href)) as PageReaders;
