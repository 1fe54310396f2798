/**
 * Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011): a counter-based
 * generator. Number i of a stream is a function of the key and i alone, so any part can be made in any order.
 */

/** High and low 32 bits of the product of two unsigned 32-bit numbers. */
function multiply(a: number, b: number): [high: number, low: number] {
  const [aHigh, aLow, bHigh, bLow] = [a >>> 16, a & 0xffff, b >>> 16, b & 0xffff];
  const low = aLow * bLow;
  const middle = aHigh * bLow + (low >>> 16);
  const middle2 = aLow * bHigh + (middle % 0x10000);
  const high = aHigh * bHigh + Math.floor(middle / 0x10000) + Math.floor(middle2 / 0x10000);
  return [high >>> 0, Math.imul(a, b) >>> 0];
}

export type Counter = readonly [number, number, number, number];
export type Key = readonly [number, number];

/** Four unsigned 32-bit numbers for a counter and a key. */
export function philox(counter: Counter, key: Key): [number, number, number, number] {
  let [c0, c1, c2, c3] = counter;
  let [k0, k1] = key;
  for (let round = 0; round < 10; round++) {
    const [high0, low0] = multiply(0xd2511f53, c0);
    const [high1, low1] = multiply(0xcd9e8d57, c2);
    [c0, c1, c2, c3] = [(high1 ^ c1 ^ k0) >>> 0, low1, (high0 ^ c3 ^ k1) >>> 0, low0];
    k0 = (k0 + 0x9e3779b9) >>> 0;
    k1 = (k1 + 0xbb67ae85) >>> 0;
  }
  return [c0, c1, c2, c3];
}
