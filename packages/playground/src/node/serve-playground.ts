/** Serves the built page on this machine alone, with the headers that threads need. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { isolatingHeaders } from './isolating-headers.ts';
import { readPage } from './page-files.ts';
import type { PageFile } from './page-files.ts';

/** What is served, and how. */
export interface ServeOptions {
  /** 0, the default, takes any that is free. */
  readonly port?: number;
  /** The folder to serve: the built page unless given. It is read once, now. */
  readonly folder?: string;
  /** Whether to send the headers that threads need; true unless given. */
  readonly isolated?: boolean;
  /** After so many milliseconds a connection on which nothing moves is closed; 60,000 unless given. */
  readonly idleTimeout?: number;
}

/** The page as long as it is served. */
export interface PlaygroundServer {
  /** `http://127.0.0.1:<port>/` */
  readonly url: string;
  close(): Promise<void>;
}

const host = '127.0.0.1';
const where = 'servePlayground';
/** From src/node and from dist/node alike. */
const builtPage = fileURLToPath(new URL('../../dist/page', import.meta.url));

/** Serves the built page on 127.0.0.1, from memory, with the headers that let it use threads. */
export async function servePlayground(options: ServeOptions = {}): Promise<PlaygroundServer> {
  const { port: wanted = 0, isolated = true, idleTimeout = 60_000 } = options;
  expectInteger('port', wanted, 0, 65535);
  expectInteger('idleTimeout', idleTimeout, 1, 2 ** 31 - 1);
  const files = await readPage(where, options.folder ?? builtPage);
  const headers = { ...(isolated && isolatingHeaders), 'X-Content-Type-Options': 'nosniff' };
  const server = createServer(
    {
      headersTimeout: idleTimeout,
      requestTimeout: idleTimeout,
      connectionsCheckingInterval: Math.ceil(idleTimeout / 2),
    },
    (request, response) => {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      answer(files, port, request, response);
    },
  );
  // A reader that takes nothing for so long has gone.
  server.timeout = idleTimeout;
  await new Promise<void>((listening, failed) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      failed(
        error.code === 'EADDRINUSE'
          ? Object.assign(
              new Error(`${where}: expected port ${wanted} to be free, got one in use (0 takes any)`, {
                cause: error,
              }),
              { code: error.code },
            )
          : error,
      ),
    );
    server.listen(wanted, host, listening);
  });
  // A connection that cannot be accepted, for want of descriptors, must not end the process.
  server.removeAllListeners('error').on('error', () => undefined);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}/`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

function expectInteger(name: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new RangeError(
    `${where}: expected ${name} to be an integer in ${least}..${most}, got ${String(value)}`,
  );
}

function answer(
  files: ReadonlyMap<string, PageFile>,
  port: number,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const names = ownNames(port);
  const asked = request.headersDistinct['host'] ?? [];
  if (asked.length !== 1 || !names.includes(asked[0].toLowerCase())) {
    refuse(response, 421, `Misdirected Request: this server answers as ${names.join(', ')} alone`);
    return;
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    refuse(response, 405, 'Method Not Allowed');
    return;
  }
  const file = files.get(pathOf(request.url ?? '/'));
  if (file === undefined) {
    refuse(response, 404, 'Not Found');
    return;
  }
  response.writeHead(200, file.headers);
  // To HEAD, Node sends no content.
  response.end(file.content);
}

/**
 * What a browser on this machine calls the server. Another site can give its own name this machine's address (DNS
 * rebinding), and its scripts would then count as this page's: requests by other names are refused.
 */
const ownNames = (port: number): string[] =>
  ['127.0.0.1', 'localhost', '[::1]'].flatMap((name) => [
    `${name}:${port}`,
    // The port that http has anyway is left out by browsers.
    ...(port === 80 ? [name] : []),
  ]);

/** The path that a URL names; '' if it cannot be decoded, which is no file's. */
function pathOf(url: string): string {
  try {
    return decodeURIComponent(url.split(/[?#]/, 1)[0]);
  } catch {
    return '';
  }
}

function refuse(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(`${words}\n`);
}
