export { readIfThere, readLimits } from './bounded-read.ts';
export { flushFolder, replaceFile, writeFlushed, writeFolder } from './atomic-folder.ts';
export type { FileContent, WriteOptions } from './atomic-folder.ts';
export { expectReplaceable } from './replaceable.ts';
export type { FileKind } from './replaceable.ts';
