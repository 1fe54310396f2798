import { multiplyHigh, philox } from '@flowgrad/tensor';

/**
 * What random numbers are drawn for. Each has a stream (a Philox key) of its own, so that drawing more for
 * one changes nothing in the others. The numbers are part of the dataset format: never renumber them.
 */
export const STREAMS = { mapNodes: 0, mapEdges: 1, trajectories: 2, split: 3, shuffling: 4 } as const;

export type StreamName = keyof typeof STREAMS;

/** Seeds are unsigned 32-bit integers. */
export function checkSeed(where: string, seed: number): number {
  if (!Number.isInteger(seed) || seed < 0 || seed > 0xffffffff) {
    throw new RangeError(`${where}: expected seed to be an integer in 0..4294967295, got ${String(seed)}`);
  }
  return seed;
}

/** Numbers drawn one after the other from one stream. */
export class RandomStream {
  readonly #seed: number;
  readonly #stream: number;
  readonly #substream: number;
  readonly #block = new Uint32Array(4);
  #drawn = 0;

  constructor(seed: number, stream: StreamName, substream = 0) {
    this.#seed = checkSeed('RandomStream', seed);
    this.#stream = STREAMS[stream];
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
  return new RandomStream(checkSeed('shufflingOrder', seed), 'shuffling', epoch).permutation(length);
}
