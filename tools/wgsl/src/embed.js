// @ts-check
/** Writes src/backends/webgpu/generated/shaders.ts of the package in the working directory: the Nx target `shaders`. */
import { embedShaders } from './embed-shaders.js';

await embedShaders('.');
