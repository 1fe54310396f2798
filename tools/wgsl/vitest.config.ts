import { vitestPreset } from '../../config/vitest-preset.ts';

export default vitestPreset({ testTimeout: 120_000, hookTimeout: 120_000 });
