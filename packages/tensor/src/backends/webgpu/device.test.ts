import * as opener from '../../node/index.ts';
import { describeDeterminism } from '../../testing/vitest/webgpu/determinism.ts';
import { describeDeviceLoss } from '../../testing/vitest/webgpu/device-loss.ts';
import { describeLimits } from '../../testing/vitest/webgpu/limits.ts';

describeLimits(opener);
describeDeviceLoss(opener);
describeDeterminism(opener);
