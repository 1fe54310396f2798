import type { RandomKey } from '@flowgrad/tensor';

/** What every part of a model is built for. */
export interface BuildContext {
  /** The width of states and messages. */
  readonly d: number;
  readonly edgeTypeCount: number;
  /** For parts that have heads. */
  readonly heads: number;
  readonly key: RandomKey;
}
