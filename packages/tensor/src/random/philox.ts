/**
 * Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011): a
 * counter-based generator. Its output is a function of (key, counter) alone, so any part of a stream can be had
 * without drawing what comes before it, and 32-bit integer arithmetic gives the same bytes on every platform.
 */
// As signed integers: an engine keeps those in registers, and whole numbers from 2³¹ on as floating point.
const MULTIPLIER_0 = 0xd2511f53 | 0;
const MULTIPLIER_1 = 0xcd9e8d57 | 0;
const WEYL_0 = 0x9e3779b9 | 0;
const WEYL_1 = 0xbb67ae85 | 0;
const ROUNDS = 10;

/**
 * Writes the four 32-bit words of the block (counter, key) to `out`.
 *
 * @example
 * const words = new Uint32Array(4);
 * philox(words, 0, 0, 0, 0, 1, 2); // block 0 of the stream with key (1, 2)
 */
export function philox(
  out: Uint32Array,
  counter0: number,
  counter1: number,
  counter2: number,
  counter3: number,
  key0: number,
  key1: number,
): void {
  let c0 = counter0 | 0;
  let c1 = counter1 | 0;
  let c2 = counter2 | 0;
  let c3 = counter3 | 0;
  let k0 = key0 | 0;
  let k1 = key1 | 0;
  for (let round = 0; round < ROUNDS; round++) {
    const high0 = signedHigh(MULTIPLIER_0, c0);
    const low0 = Math.imul(MULTIPLIER_0, c0);
    const high1 = signedHigh(MULTIPLIER_1, c2);
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

/**
 * The first two words of the blocks whose counters are (first, 0, 0), (first + 1, 0, 0), …, as `philox` gives them: an
 * even number of blocks, which do not cross a multiple of 2³².
 *
 * Two blocks are made side by side, for the rounds of one are a chain in which each step waits for the last. Products
 * are made in floating point, which is faster than in halves and gives the upper word unless the lower one is within
 * 2¹¹ of 2³². Where that happens, once in 10⁵ blocks, they are made again.
 */
export function philoxWords(
  words0: Int32Array,
  words1: Int32Array,
  first: number,
  key0: number,
  key1: number,
): void {
  const counter1 = Math.floor(first / 2 ** 32) | 0;
  const block = new Uint32Array(4);
  for (let i = 0; i < words0.length; i += 2) {
    let a0 = (first + i) | 0;
    let b0 = (first + i + 1) | 0;
    let a1 = counter1;
    let b1 = counter1;
    let a2 = 0;
    let b2 = 0;
    let a3 = 0;
    let b3 = 0;
    let k0 = key0 | 0;
    let k1 = key1 | 0;
    let isSure = true;
    for (let round = 0; round < ROUNDS; round++) {
      const aLow0 = Math.imul(MULTIPLIER_0, a0);
      const aLow1 = Math.imul(MULTIPLIER_1, a2);
      const bLow0 = Math.imul(MULTIPLIER_0, b0);
      const bLow1 = Math.imul(MULTIPLIER_1, b2);
      if (isNearTop(aLow0) || isNearTop(aLow1) || isNearTop(bLow0) || isNearTop(bLow1)) isSure = false;
      const aHigh0 = likelyHigh(MULTIPLIER_0, a0);
      const bHigh0 = likelyHigh(MULTIPLIER_0, b0);
      a0 = likelyHigh(MULTIPLIER_1, a2) ^ a1 ^ k0;
      b0 = likelyHigh(MULTIPLIER_1, b2) ^ b1 ^ k0;
      a1 = aLow1;
      b1 = bLow1;
      a2 = aHigh0 ^ a3 ^ k1;
      b2 = bHigh0 ^ b3 ^ k1;
      a3 = aLow0;
      b3 = bLow0;
      k0 = (k0 + WEYL_0) | 0;
      k1 = (k1 + WEYL_1) | 0;
    }
    words0[i] = a0;
    words1[i] = a1;
    words0[i + 1] = b0;
    words1[i + 1] = b1;
    for (let at = i; at < i + 2 && !isSure; at++) {
      philox(block, first + at, counter1, 0, 0, key0, key1);
      words0[at] = block[0];
      words1[at] = block[1];
    }
  }
}

/** Whether a floating-point product with this lower word may round up to the next upper word. */
const isNearTop = (low: number): boolean => (low | 0x7ff) === -1;

/** The bits of ⌊a·b / 2³²⌋, read as a signed integer, unless the lower word is near 2³². */
const likelyHigh = (a: number, b: number): number => ((b >>> 0) * ((a >>> 0) / 2 ** 32)) | 0;

/**
 * ⌊a·b / 2³²⌋ of two unsigned 32-bit integers.
 *
 * @example
 * multiplyHigh(0xffffffff, 2); // 1
 */
export function multiplyHigh(a: number, b: number): number {
  return signedHigh(a, b) >>> 0;
}

/** The bits of ⌊a·b / 2³²⌋, read as a signed integer; from 16-bit halves, so that no partial sum exceeds 32 bits. */
function signedHigh(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const middle = (Math.imul(aHigh, bLow) + (Math.imul(aLow, bLow) >>> 16)) | 0;
  const crossed = (Math.imul(aLow, bHigh) + (middle & 0xffff)) | 0;
  return (Math.imul(aHigh, bHigh) + (middle >>> 16) + (crossed >>> 16)) | 0;
}
