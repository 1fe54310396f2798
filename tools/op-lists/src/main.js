// @ts-check
/** Writes the lists of the package in the working directory. */
import { generate } from './generate.js';

generate(process.cwd());
