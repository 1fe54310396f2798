import { vitestPreset } from '../../config/vitest-preset.ts';

export default vitestPreset({ testTimeout: 300_000, hookTimeout: 300_000 });
