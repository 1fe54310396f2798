import { philox } from '@flowgrad/tensor';
import type { RandomKey } from '@flowgrad/tensor';

/** `count` random 32-bit words, the same ones whenever the key is the same. */
export function randomWords(key: RandomKey, count: number): Uint32Array {
  const words = new Uint32Array(count);
  const block = new Uint32Array(4);
  const [key0, key1] = key.words;
  for (let i = 0; i < count; i++) {
    if (i % 4 === 0) philox(block, i / 4, 0, 0, 0, key0, key1);
    words[i] = block[i % 4];
  }
  return words;
}
