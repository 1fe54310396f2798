// @ts-check
/** Compiles what it is told to, one part after the other. */
import { parentPort } from 'node:worker_threads';
import { compilePart } from './compile-part.js';

parentPort?.on('message', (/** @type {import('./compile-part.js').Job} */ job) => {
  compilePart(job).then(
    (compiled) => parentPort?.postMessage({ compiled }),
    (/** @type {unknown} */ error) =>
      parentPort?.postMessage({ failure: error instanceof Error ? error.message : String(error) }),
  );
});
