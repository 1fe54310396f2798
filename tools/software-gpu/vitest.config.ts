import { vitestPreset } from '../../config/vitest-preset.ts';

export default vitestPreset({ testTimeout: 60_000, hookTimeout: 60_000 });
