import { afterAll, beforeAll } from 'vitest';
import { openWebGpu } from '../../node/index.ts';
import { describeParity } from '../../testing/loops.ts';
import type { WebGpuBackend } from './webgpu-backend.ts';

let backend: WebGpuBackend;
beforeAll(async () => {
  backend = await openWebGpu();
});
afterAll(() => backend.close());

describeParity('webgpu', () => backend);
