import { vitestPreset } from '../../config/vitest-preset.ts';

// All libraries are packed, installed and type-checked in one hook: half a minute, and many where others use the machine too.
export default vitestPreset({ testTimeout: 120_000, hookTimeout: 900_000 });
