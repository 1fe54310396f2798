import { vitestPreset } from '../../config/vitest-preset.ts';

// The first lint loads ESLint's configuration and the project graph.
export default vitestPreset({ testTimeout: 60_000, hookTimeout: 60_000 });
