/** `npm run playground`: serves the page until it is interrupted. `-- --port 8080` names a port. */
import { parseArgs } from 'node:util';
import { servePlayground } from './serve-playground.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
const { url } = await servePlayground({ port: Number(values.port) });
console.log(`The playground is at ${url} (Ctrl+C ends it)`);
