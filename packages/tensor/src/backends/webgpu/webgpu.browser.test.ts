/** The WebGPU backend in a real browser: the same loops and the same tests of limits and loss as in Node. */
import { afterAll, beforeAll, describe, inject } from 'vitest';
import * as opener from '../../browser/index.ts';
import { describeParity } from '../../testing/vitest/describe-checks.ts';
import { describeDeterminism } from '../../testing/vitest/webgpu/determinism.ts';
import { describeDeviceLoss } from '../../testing/vitest/webgpu/device-loss.ts';
import { describeLimits } from '../../testing/vitest/webgpu/limits.ts';
import type { WebGpuBackend } from './webgpu-backend.ts';

// WebGPU does not care whether a page is isolated; once is enough.
describe.runIf(inject('isolated'))('WebGPU in a page', () => {
  let backend: WebGpuBackend;
  beforeAll(async () => {
    backend = await opener.openWebGpu();
  });
  afterAll(() => backend.close());

  describeParity('webgpu', () => backend);
  describeLimits(opener);
  describeDeviceLoss(opener);
  describeDeterminism(opener);
});
