/**
 * Pruned flow: of each example, a step carries on the attention of the most attended nodes alone, and of these only what
 * flows along their strongest outgoing edges. In small worlds, where a cone is the whole graph after a few steps, that
 * bounds what a step costs.
 *
 * What is kept at t follows from the attention of t: a plan of t + 1 steps is made and run, the flow of its last step is
 * read back, and so on to T. The plan that comes out is a plan as any other, of a cone that grows along the kept edges.
 */
import { heaviest } from './heaviest.ts';
import type { OutgoingEdges } from './outgoing-edges.ts';

/** How much attention is carried on. */
export interface Keep {
  /** Per example and step: so many nodes, those with most attention. */
  readonly nodes: number;
  /** Of each of these nodes: so many outgoing edges, those along which most flows. */
  readonly edges: number;
}

/** What one example carries on at one step. */
export interface KeptStep {
  /** The nodes whose attention goes on. */
  readonly senders: ReadonlySet<number>;
  /** The edges along which it does, as positions among the outgoing edges of the graph; absent where all edges of the senders do. */
  readonly edges?: ReadonlySet<number>;
}

/** What was cut of a batch. */
export interface CutFlow {
  /** By example: the attention that was not carried on, in 0 … 1. */
  readonly lost: Float32Array;
  /** Over all steps and examples: nodes with attention, and those of them that were cut. */
  readonly nodes: { readonly all: number; readonly cut: number };
  /** Outgoing edges of the nodes that were kept, and those of them that were cut. */
  readonly edges: { readonly all: number; readonly cut: number };
}

/** What an example has kept so far. Steps have to be chosen one after another, each in two halves: nodes, then edges. */
export interface KeptExample {
  readonly steps: readonly KeptStep[];
  readonly lost: number;
  readonly nodes: { readonly all: number; readonly cut: number };
  readonly edges: { readonly all: number; readonly cut: number };
  /** Opens the next step: its senders are the most attended nodes, in ascending order, and all their edges are in it. */
  chooseNodes(this: void): void;
  /** ã of the edges of the step, in their order: the strongest of each node are kept, and the attention moves on. */
  chooseEdges(this: void, flow: Float32Array | Float64Array): void;
}

export function createKeptExample(source: number, keep: Keep, outgoing: OutgoingEdges): KeptExample {
  const { offsets, receivers } = outgoing;
  const steps: KeptStep[] = [];
  let attention = new Map([[source, 1]]);
  let lost = 0;
  const nodes = { all: 0, cut: 0 };
  const edges = { all: 0, cut: 0 };

  const chooseNodes = (): void => {
    const attended = Int32Array.from(attention.keys()).sort();
    const weights = Float64Array.from(attended, (node) => attention.get(node)!);
    const senders = new Set(Array.from(heaviest(weights, keep.nodes), (place) => attended[place]));
    for (const [node, weight] of attention) if (!senders.has(node)) lost += weight;
    nodes.all += attended.length;
    nodes.cut += attended.length - senders.size;
    steps.push({ senders });
  };

  const chooseEdges = (flow: Float32Array | Float64Array): void => {
    const { senders } = steps.pop()!;
    const next = new Map<number, number>();
    const kept = new Set<number>();
    let k = 0;
    for (const node of senders) {
      const degree = offsets[node + 1] - offsets[node];
      const weights = flow.subarray(k, (k += degree));
      const strongest = heaviest(weights, keep.edges);
      for (const place of strongest) {
        const e = offsets[node] + place;
        kept.add(e);
        next.set(receivers[e], (next.get(receivers[e]) ?? 0) + weights[place]);
      }
      edges.all += degree;
      edges.cut += degree - strongest.length;
      if (degree === strongest.length) continue;
      for (let place = 0; place < degree; place++) {
        if (!kept.has(offsets[node] + place)) lost += weights[place];
      }
    }
    steps.push({ senders, edges: kept });
    attention = next;
  };

  return {
    steps,
    get lost() {
      return lost;
    },
    nodes,
    edges,
    chooseNodes,
    chooseEdges,
  };
}
