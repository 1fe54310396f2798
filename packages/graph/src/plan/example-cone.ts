import type { KeptStep } from './kept-flow.ts';

/** The nodes that an example can matter at, ascending, its ends among them. */
export interface ExampleCone {
  readonly nodes: Int32Array;
  /** The time from which on node k is in F; T for a destination out of reach. */
  readonly since: Int32Array;
  /** The last time at which node k is in A; −1 for never. All in F are in A at T if more than the loss is asked for. */
  readonly attention: Int32Array;
  /** The last time at which node k is in S; −1 for never. All in F are in S if more than the loss is asked for. */
  readonly states: Int32Array;
  /** Where a message depends on all receivers of its sender: the nodes, ascending, whose messages differ, and from when on. */
  readonly senders?: { readonly nodes: Int32Array; readonly since: Int32Array };
  /** Which edges carry attention on at t; absent where all do. */
  readonly kept?: readonly KeptStep[];
  /** What the planner made of it, kept by `perCone`. */
  made?: unknown;
}

/** An example of so many steps, of which each carries on what is kept; all, unless given. */
export interface ConeExample {
  readonly source: number;
  readonly destination: number | undefined;
  readonly lossOnly: boolean;
  readonly steps: number;
  readonly kept?: readonly KeptStep[] | undefined;
}
