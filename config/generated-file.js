// @ts-check
/** Files that tools generate: read if they are there, and replaced in one step, for two processes may make them at once. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/**
 * @param {string} path
 * @returns {string | undefined} undefined if there is no such file
 */
export function readGenerated(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Whoever reads at the same time sees the old text or the new one.
 *
 * @param {string} path
 * @param {string} text
 * @returns {boolean} whether the file was written: one that says the same already is left alone
 */
export function writeGenerated(path, text) {
  if (readGenerated(path) === text) return false;
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, path);
  return true;
}
