import { vitestPreset } from '../../config/vitest-preset.ts';

// No test leaves anything behind, so files share a process and load the packages once.
export default vitestPreset({ isolate: false });
