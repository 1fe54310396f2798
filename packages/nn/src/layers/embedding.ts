import { gather, rejectUnknownOptions } from '@flowgrad/tensor';
import type { RandomKey, RowIndex, Tensor } from '@flowgrad/tensor';
import { initialisers } from '../initialisers/initialisers.ts';
import type { Initialiser } from '../initialisers/initialisers.ts';
import { expectExtents, expectKey } from '../options.ts';
import { startParameter } from './start-parameter.ts';

/** The size of a table of embeddings, and how it starts. */
export interface EmbeddingOptions {
  readonly count: number;
  readonly d: number;
  readonly key: RandomKey;
  /** How the table starts: truncated normal, σ 0.01, unless given. */
  readonly w?: Initialiser;
}

/** Parameter `w` [count, d]: the whole table. */
export interface Embedding {
  readonly w: Tensor;
  /** Rows of the table: index of n ids into `count` rows → [n, d] */
  lookup(this: void, index: RowIndex): Tensor;
}

/** A free vector for each of `count` things: y[k] = W[index k]. */
export function createEmbedding(options: EmbeddingOptions): Embedding {
  const where = 'createEmbedding';
  rejectUnknownOptions(where, options, ['count', 'd', 'key', 'w']);
  const { count, d, key, w: start = initialisers.truncatedNormal() } = options;
  expectExtents(where, { count, d });
  expectKey(where, key);
  const w = startParameter(where, 'w', start, key, [count, d]);
  return { w, lookup: (index) => gather(w, index) };
}
