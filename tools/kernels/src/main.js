// @ts-check
/** Compiles the kernels of the package in the working directory: the Nx target `kernels`. */
import { generate } from './generate.js';

await generate(process.cwd());
