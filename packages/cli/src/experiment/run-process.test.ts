import { expect, test } from 'vitest';
import { lastComplaint } from './run-process.ts';

const crash = `node:internal/modules/esm/resolve:283
    throw new ERR_MODULE_NOT_FOUND(
          ^

Error [ERR_MODULE_NOT_FOUND]: Cannot find module 'main.js'
    at finalizeResolution (node:internal/modules/esm/resolve:283:11) {
  code: 'ERR_MODULE_NOT_FOUND'
}

Node.js v20.20.2
`;
const memory = `[1:0x2] 100 ms: Mark-Compact
FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory
 1: 0xb8d0f3 node::Abort()
`;

test.each([
  [
    'flowgrad: train: expected a seed, got none\nSee flowgrad train --help\n',
    'train: expected a seed, got none',
  ],
  [crash, "Error [ERR_MODULE_NOT_FOUND]: Cannot find module 'main.js'"],
  [memory, 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory'],
  ['Bus error\n', 'Bus error'],
  ['\n', undefined],
])('the reason of a failed run is the line that says it: %j', (text, reason) => {
  expect(lastComplaint(text)).toBe(reason);
});
