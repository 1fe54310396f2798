/**
 * Room for lists of ids on the host. A training step makes hundreds of them, megabytes that live as long as the step: fresh
 * memory for each costs several times what filling it does.
 */
const smallest = 256;
/** Bytes kept for later at most. */
const capacity = 2 ** 26;

/** Free buffers of 4 · 2ⁿ bytes, by their size. */
const free = new Map<number, ArrayBuffer[]>();
let kept = 0;

/** Room for `length` ids, with whatever was there before. */
export function takeInts(length: number): Int32Array<ArrayBuffer> {
  if (length > 2 ** 30) return new Int32Array(length);
  let size = smallest;
  while (size < length) size *= 2;
  const buffer = free.get(4 * size)?.pop();
  if (buffer) kept -= buffer.byteLength;
  return new Int32Array(buffer ?? new ArrayBuffer(4 * size), 0, length);
}

/** Gives room back that nothing reads any more. */
export function releaseInts({ buffer }: Int32Array<ArrayBuffer>): void {
  if (kept + buffer.byteLength > capacity) return;
  kept += buffer.byteLength;
  const sameSize = free.get(buffer.byteLength);
  if (sameSize) sameSize.push(buffer);
  else free.set(buffer.byteLength, [buffer]);
}
