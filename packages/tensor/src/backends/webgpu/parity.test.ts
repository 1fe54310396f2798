import { afterAll, beforeAll } from 'vitest';
import { openWebGpu } from '../../node/index.ts';
import { openWatchdog } from '../../node/watchdog.ts';
import { describeParity, describeSameBits } from '../../testing/vitest/describe-checks.ts';
import type { WebGpuBackend } from './webgpu-backend.ts';

let backend: WebGpuBackend;
beforeAll(async () => {
  backend = await openWebGpu();
});
afterAll(() => backend.close());

const { guard } = openWatchdog();

describeParity('webgpu', () => backend, guard);
describeSameBits('webgpu', () => backend, guard);
