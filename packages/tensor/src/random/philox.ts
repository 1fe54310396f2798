/**
 * Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011): a
 * counter-based generator. Its output is a function of (key, counter) alone, so any part of a stream can be had
 * without drawing what comes before it, and 32-bit integer arithmetic gives the same bytes on every platform.
 */
const MULTIPLIER_0 = 0xd2511f53;
const MULTIPLIER_1 = 0xcd9e8d57;
const WEYL_0 = 0x9e3779b9;
const WEYL_1 = 0xbb67ae85;
const ROUNDS = 10;

/** Writes the four 32-bit words of the block (counter, key) to `out`. */
export function philox(
  out: Uint32Array,
  counter0: number,
  counter1: number,
  counter2: number,
  counter3: number,
  key0: number,
  key1: number,
): void {
  let [c0, c1, c2, c3] = [counter0 | 0, counter1 | 0, counter2 | 0, counter3 | 0];
  let [k0, k1] = [key0 | 0, key1 | 0];
  for (let round = 0; round < ROUNDS; round++) {
    const high0 = multiplyHigh(MULTIPLIER_0, c0);
    const low0 = Math.imul(MULTIPLIER_0, c0);
    const high1 = multiplyHigh(MULTIPLIER_1, c2);
    const low1 = Math.imul(MULTIPLIER_1, c2);
    c0 = high1 ^ c1 ^ k0;
    c1 = low1;
    c2 = high0 ^ c3 ^ k1;
    c3 = low0;
    k0 = (k0 + WEYL_0) | 0;
    k1 = (k1 + WEYL_1) | 0;
  }
  out[0] = c0;
  out[1] = c1;
  out[2] = c2;
  out[3] = c3;
}

/** ⌊a·b / 2³²⌋ of two unsigned 32-bit integers, from 16-bit halves: no partial sum exceeds 32 bits. */
export function multiplyHigh(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const lowest = Math.imul(aLow, bLow) >>> 16;
  const middle = (Math.imul(aHigh, bLow) >>> 0) + lowest;
  const crossed = (Math.imul(aLow, bHigh) >>> 0) + (middle & 0xffff);
  return (Math.imul(aHigh, bHigh) + (middle >>> 16) + (crossed >>> 16)) >>> 0;
}
