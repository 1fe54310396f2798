import { readFileSync } from 'node:fs';
import { openWebGpu } from '@flowgrad/tensor/node';
import { afterAll, describe } from 'vitest';
import { describeBackendParity } from '../testing/backend-parity.ts';
import type { ParityFile } from '../testing/parity-file.ts';

const backend = await openWebGpu();
afterAll(() => backend.close());

const read = (name: string): ParityFile =>
  JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8')) as ParityFile;

describe('on webgpu', () => {
  describeBackendParity(() => Promise.resolve(backend), read, 3);
});
