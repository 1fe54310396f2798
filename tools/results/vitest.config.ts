import { vitestPreset } from '../../config/vitest-preset.ts';

export default vitestPreset();
