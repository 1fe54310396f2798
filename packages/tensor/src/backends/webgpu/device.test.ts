import * as opener from '../../node/index.ts';
import { describeDeterminism } from '../../testing/webgpu/determinism.ts';
import { describeDeviceLoss } from '../../testing/webgpu/device-loss.ts';
import { describeLimits } from '../../testing/webgpu/limits.ts';

describeLimits(opener);
describeDeviceLoss(opener);
describeDeterminism(opener);
