import { multiplyHigh, philox } from '@flowgrad/tensor';

/** Streams of @flowgrad/gridworld are 0 … 2. The numbers are part of what a seed means: never renumber them. */
export const SPLIT_STREAM = 3;
const SHUFFLING_STREAM = 4;

/** The seed, if it is an unsigned 32-bit integer; else an error that begins with `where`. */
export function checkSeed(where: string, seed: number): number {
  if (!Number.isInteger(seed) || seed < 0 || seed > 0xffffffff) {
    throw new RangeError(`${where}: expected seed to be an integer in 0..4294967295, got ${String(seed)}`);
  }
  return seed;
}

/**
 * Numbers drawn one after the other from one stream. Each purpose has a stream (a Philox key) of its own, so that drawing
 * more for one changes nothing in the others.
 */
export class RandomStream {
  readonly #seed: number;
  readonly #stream: number;
  readonly #substream: number;
  readonly #block = new Uint32Array(4);
  #drawn = 0;

  constructor(seed: number, stream: number, substream = 0) {
    this.#seed = checkSeed('RandomStream', seed);
    this.#stream = stream;
    this.#substream = substream;
  }

  nextUint32(): number {
    const word = this.#drawn & 3;
    if (word === 0) philox(this.#block, this.#drawn >>> 2, this.#substream, 0, 0, this.#seed, this.#stream);
    this.#drawn++;
    return this.#block[word];
  }

  /** Uniform in 0 … bound−1 without bias: Lemire's multiplication, drawing again where it would be uneven. */
  below(bound: number): number {
    const uneven = (0x100000000 - bound) % bound;
    for (;;) {
      const word = this.nextUint32();
      if (Math.imul(word, bound) >>> 0 >= uneven) return multiplyHigh(word, bound);
    }
  }

  /** 0 … length−1 in uniformly random order (Fisher and Yates). */
  permutation(length: number): Int32Array {
    const order = Int32Array.from({ length }, (_, index) => index);
    for (let last = length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      const kept = order[last];
      order[last] = order[other];
      order[other] = kept;
    }
    return order;
  }
}

/** The order in which epoch `epoch` of a training run visits `length` examples. */
export function shufflingOrder(length: number, { seed, epoch }: { seed: number; epoch: number }): Int32Array {
  return new RandomStream(checkSeed('shufflingOrder', seed), SHUFFLING_STREAM, epoch).permutation(length);
}
