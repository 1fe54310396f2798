import { vitestPreset } from '../../config/vitest-preset.ts';

export default vitestPreset({ testTimeout: 70_000 });
