/** `npm run playground`: serves the page until it is interrupted. `npm run playground -- --port 8080` names a port. */
import { parseArgs } from 'node:util';
import { servePlayground } from './serve-playground.ts';

/** The same each time, if it is free: what a browser keeps for the page is kept by port. */
const usual = 4747;

const { values } = parseArgs({ options: { port: { type: 'string' } } });
const { url } =
  values.port === undefined
    ? await servePlayground({ port: usual }).catch(() => servePlayground())
    : await servePlayground({ port: Number(values.port) });
console.log(`The playground is at ${url} (Ctrl+C ends it)`);
