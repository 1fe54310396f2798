/** Serves the built page on this machine alone, with the headers that threads need. */
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isolatingHeaders } from './isolating-headers.ts';

export interface ServeOptions {
  /** 0, the default, takes any that is free. */
  readonly port?: number;
  /** The folder to serve: the built page unless given. */
  readonly folder?: string;
  /** Whether to send the headers that threads need; true unless given. */
  readonly isolated?: boolean;
}

export interface PlaygroundServer {
  /** `http://127.0.0.1:<port>/` */
  readonly url: string;
  close(): Promise<void>;
}

const host = '127.0.0.1';
const where = 'servePlayground';
/** From src/node and from dist/node alike. */
const builtPage = fileURLToPath(new URL('../../dist/page', import.meta.url));

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

export async function servePlayground(options: ServeOptions = {}): Promise<PlaygroundServer> {
  const { port = 0, isolated = true } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new RangeError(`${where}: expected port to be an integer in 0..65535, got ${String(port)}`);
  }
  const wanted = options.folder ?? builtPage;
  const folder = await realpath(wanted).catch(() => {
    throw new Error(`${where}: expected the built page in ${wanted}, got no such folder (build it first)`);
  });
  const headers = { ...(isolated && isolatingHeaders), 'X-Content-Type-Options': 'nosniff' };
  const server = createServer((request, response) => {
    answer(folder, headers, request, response).catch(() => refuse(response, 500, 'Internal Server Error'));
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      failed(
        error.code === 'EADDRINUSE'
          ? new Error(`${where}: expected port ${port} to be free, got one in use (0 takes any)`, {
              cause: error,
            })
          : error,
      ),
    );
    server.listen(port, host, listening);
  });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  folder: string,
  headers: Readonly<Record<string, string>>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    refuse(response, 405, 'Method Not Allowed');
    return;
  }
  const file = await fileOf(folder, request.url ?? '/');
  if (file === undefined) {
    refuse(response, 404, 'Not Found');
    return;
  }
  response.setHeader('Content-Type', types[extname(file.path)] ?? 'application/octet-stream');
  response.setHeader('Content-Length', file.size);
  // Names of assets carry a hash of their content, the page's does not.
  const isHashed = /[/\\]assets[/\\]/.test(file.path);
  response.setHeader('Cache-Control', isHashed ? 'max-age=31536000, immutable' : 'no-cache');
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  createReadStream(file.path)
    .on('error', () => response.destroy())
    .pipe(response);
}

/** The file that a URL names; none if it lies outside the folder, by `..` or by a link, or is no file. */
async function fileOf(folder: string, url: string): Promise<{ path: string; size: number } | undefined> {
  try {
    const asked = decodeURIComponent(url.split(/[?#]/, 1)[0]);
    if (asked.includes('\0')) return undefined;
    const path = await realpath(join(folder, asked.endsWith('/') ? `${asked}index.html` : asked));
    if (!path.startsWith(folder + sep)) return undefined;
    const found = await stat(path);
    return found.isFile() ? { path, size: found.size } : undefined;
  } catch {
    return undefined;
  }
}

function refuse(response: ServerResponse, status: number, words: string): void {
  if (!response.headersSent) response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(`${words}\n`);
}
