/** Keys of random streams: explicit, splittable, never advanced. */
import { TensorError } from '../core/errors.ts';
import { philox } from './philox.ts';

type Key = readonly [number, number];

/** Keeps the derivation of keys apart from the drawing of numbers, whose second word is 0 up to 2³² values. */
const childTag = 0x6b657973;

/** Names a stream of random numbers. The same key always gives the same numbers: derive a child for each use. */
export class RandomKey {
  /** @internal */
  readonly words: Key;

  /** @internal */
  constructor(words: Key) {
    this.words = words;
  }

  /** A key of its own for each label: `key.child('embedding')`, `key.child(3)`. */
  child(label: string | number): RandomKey {
    let words = this.words;
    const block = new Uint32Array(4);
    // Text and numbers are told apart, so that child('3') is not child(3).
    const codes = typeof label === 'number' ? [0, ...halves('child', label)] : [1, ...utf16(label)];
    for (const code of codes) {
      philox(block, code, childTag, 0, 0, ...words);
      words = [block[0], block[1]];
    }
    return new RandomKey(words);
  }
}

/**
 * The key of a seed, a whole number ≥ 0.
 *
 * @example
 * const key = randomKey(1);
 * const weights = normal(key.child('weights'), [2, 3]);
 */
export function randomKey(seed: number): RandomKey {
  return new RandomKey(halves('randomKey', seed));
}

function halves(op: string, value: number): [low: number, high: number] {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new TensorError(op, 'option', `expected a whole number from 0 to 2⁵³ − 1, got ${value}`);
  }
  return [value >>> 0, Math.floor(value / 2 ** 32)];
}

function utf16(text: string): number[] {
  return Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
}
