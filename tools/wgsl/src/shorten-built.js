// @ts-check
/** Shortens the WGSL in what the package in the working directory has built. */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { shortener } from './shorten.js';

const file = resolve('dist/backends/webgpu/generated/shaders.js');
/** @type {{ shaders: Record<string, { code: string }> }} */
const { shaders } = await import(pathToFileURL(file).href);
const shorten = shortener(Object.values(shaders).map(({ code }) => code));
const written = readFileSync(file, 'utf8');
// Of all texts in double quotes, WGSL alone ends with a line's end.
const shortened = written.replaceAll(/"(?:[^"\\]|\\.)*\\n"/g, (text) =>
  JSON.stringify(shorten(JSON.parse(text))),
);
writeFileSync(file, shortened);
