/** What the page asks of the world worker. */
import type { DatasetStatistics, GridMap, RawAndFiltered, WorldParameters } from '@flowgrad/gridworld';

export interface WorldRequest {
  readonly group: string | WorldParameters;
  readonly seed: number;
}

/** A world as plain arrays. */
export interface WorldView {
  readonly parameters: WorldParameters;
  readonly map: GridMap;
  readonly statistics: DatasetStatistics;
  /** The edges that flowing attention is given by: the map's, and a self-loop for each node. */
  readonly senders: Int32Array;
  readonly receivers: Int32Array;
  /** A source of the test split, to begin with. */
  readonly testSource: number;
}

/** What is known of a source without any model. */
export interface SourceView {
  readonly source: number;
  /** The rollouts that the dataset is made of. */
  readonly rollouts: readonly Int32Array[];
  /** [nodes] P(destination | source); absent where it is out of reach. */
  readonly destinations?: Float64Array;
}

export interface WorldCalls {
  make(request: WorldRequest): Promise<WorldView>;
  lookAt(request: { readonly source: number }): Promise<SourceView>;
  /** Of the test split; undefined where the exact distribution is out of reach, or if another world was made meanwhile. */
  ceiling(request: object): Promise<RawAndFiltered | undefined>;
}
