/** The types of embed-shaders.js, for the TypeScript that calls it. */
import type { Sources } from './imports.js';

export declare function embedShaders(packageRoot: string): Promise<string[]>;
export declare function readSources(folder: string): Sources;
