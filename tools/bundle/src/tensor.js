// @ts-check
/**
 * Bundles @flowgrad/tensor, built in the working directory, with the WebGPU backend and without others, as a page
 * would; prints its size and fails if it holds code of Node or is over its budget.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle, problemsOf } from './bundle.js';

const maxGzipBytes = 48 * 1024;

const index = resolve('dist/index.js');
const browser = resolve('dist/browser/index.js');
/** @type {Record<string, unknown>} */
const api = await import(pathToFileURL(index).href);
const names = Object.keys(api).filter((name) => !/wasm|referenceBackend/i.test(name));
const made = await bundle(`
  export { ${names.join(', ')} } from ${JSON.stringify(index)};
  export { openWebGpu } from ${JSON.stringify(browser)};
`);
const kilobytes = (/** @type {number} */ bytes) => (bytes / 1024).toFixed(1);
console.log(
  `@flowgrad/tensor with WebGPU for a page: ${kilobytes(made.bytes)} KB minified, ` +
    `${kilobytes(made.gzipBytes)} KB after gzip (at most ${kilobytes(maxGzipBytes)})`,
);
const problems = problemsOf(made, maxGzipBytes);
if (problems.length > 0) {
  console.error(`bundle: expected code for a page, got\n${problems.join('\n')}`);
  process.exitCode = 1;
}
