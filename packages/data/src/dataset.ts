/** What there is to learn on a graph: who starts where, asks what, and arrives where. */
import type { Graph } from '@flowgrad/graph';
import type { RawAndFiltered } from './ranking-metrics.ts';

/** The parts of a dataset: for training, for choosing the best epoch, for the results. */
export const SPLIT_NAMES = ['train', 'valid', 'test'] as const;
/** One of `SPLIT_NAMES`. */
export type SplitName = (typeof SPLIT_NAMES)[number];

/** What a model is given, and what it is to predict. */
export interface Examples {
  readonly count: number;
  /** [count] */
  readonly sources: Int32Array;
  /** [count] */
  readonly destinations: Int32Array;
  /** [count] what is asked, as a number of `queryNames`; of datasets that ask. */
  readonly queries?: Int32Array;
  /** The nodes of the way that was taken, source first; of datasets that know it. */
  readonly path?: (this: void, example: number) => Int32Array;
  /** Edges that tell the answer: in training on the example nothing walks along them. None unless given. */
  readonly hiddenEdges?: (this: void, example: number) => readonly number[];
}

/** Where nodes lie on a plane. */
export interface Positions {
  /** [nodes] */
  readonly x: ArrayLike<number>;
  /** [nodes] */
  readonly y: ArrayLike<number>;
}

/** What is known of each node. */
export interface NodeFeatures {
  readonly width: number;
  /** [nodes, width] */
  readonly values: Float32Array;
}

/** A graph and examples of journeys over it. Everything behind `examples` is there where it is known. */
export interface Dataset {
  readonly name: string;
  /** Typed and directed, without the self-loops that models add. */
  readonly graph: Graph;
  /** T: how many steps a model takes. */
  readonly steps: number;
  readonly examples: Readonly<Record<SplitName, Examples>>;
  readonly nodeNames?: readonly string[];
  readonly edgeTypeNames?: readonly string[];
  /** What can be asked; without it nothing is. */
  readonly queryNames?: readonly string[];
  readonly positions?: Positions;
  readonly features?: NodeFeatures;
  /** What is true beside the examples: the filtered ranking leaves out these destinations too. */
  readonly alsoTrue?: Examples;
  /** SHA-256 of the files it was read from: what a run is tied to. */
  readonly sha256?: string;
  /** The metrics that no model exceeds in expectation; undefined where they are out of reach. */
  readonly ceiling?: (this: void, split: SplitName) => RawAndFiltered | undefined;
}
