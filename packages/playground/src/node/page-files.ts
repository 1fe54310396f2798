/** The files of a built page, in memory: a request looks up a name, and never touches the disk. */
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

export interface PageFile {
  readonly content: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** The page takes less than 1 MB; a folder far beyond it is not one. */
export const maxPageBytes = 64 * 2 ** 20;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.tsv': 'text/tab-separated-values; charset=utf-8',
  '.wasm': 'application/wasm',
};

/** By the path of a URL, `/assets/index.js`; `index.html` also by that of its folder. Links are left out. */
export async function readPage(where: string, wanted: string): Promise<ReadonlyMap<string, PageFile>> {
  const folder = await realpath(wanted).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new Error(`${where}: expected the built page in ${wanted}, got no such folder (build it first)`);
  });
  const files = new Map<string, PageFile>();
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    bytes += (await stat(path)).size;
    if (bytes > maxPageBytes) {
      throw new RangeError(
        `${where}: expected a page of at most ${maxPageBytes} bytes, got more in ${wanted} (is it the built page?)`,
      );
    }
    const content = await readFile(path);
    const name = `/${relative(folder, path).split(sep).join('/')}`;
    const file = { content, headers: headersOf(name, content.length) };
    files.set(name, file);
    if (entry.name === 'index.html') files.set(name.slice(0, -entry.name.length), file);
  }
  return files;
}

const headersOf = (name: string, length: number): PageFile['headers'] => ({
  'Content-Type': types[extname(name)] ?? 'application/octet-stream',
  'Content-Length': String(length),
  // Names of assets carry a hash of their content, the page's does not.
  'Cache-Control': name.includes('/assets/') ? 'max-age=31536000, immutable' : 'no-cache',
});
