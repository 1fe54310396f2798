import type { Neighbours } from './adjacency.ts';

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
  /** What carries attention on; absent where everything does. */
  readonly kept?: KeptFlow;
  /** The edges that leave its nodes, where they are known already. */
  readonly fans?: ConeFans;
  /** What the planner made of it, kept by `perCone`. */
  made?: unknown;
}

/** What carries the attention of an example on. */
export interface KeptFlow {
  /** Node k → where its outgoing edges begin in `edges` of a step. */
  readonly begins: Int32Array;
  /** t = 0, 1, … */
  readonly steps: readonly KeptStep[];
}

export interface KeptStep {
  /** Node k → 1 if its attention goes on. */
  readonly sends: Uint8Array;
  /** 1 for an edge along which it does; absent where it does along all edges of those that send. */
  readonly edges?: Uint8Array;
}

/** The outgoing edges of those nodes of a cone whose attention goes on at some time. */
export interface ConeFans {
  /** The nodes of the cone, and behind them others that the edges lead to. */
  readonly nodes: Int32Array;
  /** Their ends, as places in `nodes`. */
  readonly leaving: Neighbours;
}

/** Whether the attention of node k is never carried on. */
export function isCut(kept: KeptFlow | undefined, k: number): boolean {
  return kept?.steps.every(({ sends }) => sends[k] === 0) ?? false;
}

/** An example of so many steps. */
export interface ConeExample {
  readonly source: number;
  readonly destination: number | undefined;
  readonly lossOnly: boolean;
  readonly steps: number;
}
