/**
 * Pruned flow: of each example, a step carries on the attention of the most attended nodes alone, and of these only what
 * flows along their strongest outgoing edges. In small worlds, where a cone is the whole graph after a few steps, that
 * bounds what a step costs.
 *
 * What is kept at t follows from the attention of t. Where more has attention than is kept, a plan of the steps so far is made
 * and run, and the flow of its last step is read back; so it goes on to T. The plan that comes out is a plan as any other, of a
 * cone that grows along the kept edges.
 */
import { heaviest } from './heaviest.ts';
import type { Numbering } from './numbering.ts';
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
  /** The nodes whose attention goes on, ascending. */
  readonly senders: ReadonlySet<number>;
  /** The edges along which it does, as positions among the outgoing edges of the graph, ascending; absent where it does along all edges of the senders. */
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
  /** How many forward passes it took to find out, each with one read-back. */
  readonly passes: number;
}

/** ã of some edges, on the host. */
export type Flow = Float32Array | Float64Array;

/** What an example has kept so far. Steps are chosen one after another, each in two halves: nodes, then edges. */
export class KeptExample {
  readonly steps: KeptStep[] = [];
  lost = 0;
  readonly nodes = { all: 0, cut: 0 };
  readonly edges = { all: 0, cut: 0 };
  readonly #keep: Keep;
  readonly #outgoing: OutgoingEdges;
  readonly #numbering: Numbering;
  /** The nodes with attention after the last step, in any order, where that was asked for. */
  #attended: Int32Array | undefined;
  /** ã of all edges of the senders of the last step, in their order, where that is known. */
  #flow: Flow | undefined;

  /** `numbering`, of all nodes, is lent while something is chosen. */
  constructor(source: number, keep: Keep, outgoing: OutgoingEdges, numbering: Numbering) {
    this.#keep = keep;
    this.#outgoing = outgoing;
    this.#numbering = numbering;
    this.#attended = Int32Array.of(source);
  }

  /** Takes ã of all edges of the senders of the last step, in their order. */
  know(flow: Flow): void {
    this.#flow = flow;
  }

  /** Whether the next nodes cannot be chosen before the flow of the last step is known. */
  get needsAttention(): boolean {
    return !this.#flow && this.#findAttended().length > this.#keep.nodes;
  }

  /** Opens the next step: its senders are the most attended nodes, and all their edges are in it. */
  chooseNodes(): void {
    const attended = this.#findAttended();
    let senders = attended;
    if (attended.length > this.#keep.nodes) {
      const attention = this.#findAttention();
      const places = heaviest(attention, this.#keep.nodes, attended);
      senders = places.map((place) => attended[place]);
      this.nodes.cut += attended.length - places.length;
      this.lost += sumOfOthers(attention, places);
    }
    this.nodes.all += attended.length;
    this.steps.push({ senders: new Set(senders.sort()) });
    this.#attended = this.#flow = undefined;
  }

  /** Whether the edges of the step cannot be chosen before its flow is known. */
  get needsFlow(): boolean {
    const { offsets } = this.#outgoing;
    for (const node of this.steps.at(-1)!.senders) {
      if (offsets[node + 1] - offsets[node] > this.#keep.edges) return true;
    }
    return false;
  }

  /** Of each sender of the step the strongest edges are kept. */
  chooseEdges(): void {
    const { offsets } = this.#outgoing;
    const { senders } = this.steps.at(-1)!;
    const edges = this.#flow && new Set<number>();
    let count = 0;
    for (const node of senders) {
      const [first, degree] = [offsets[node], offsets[node + 1] - offsets[node]];
      if (edges) {
        const weights = this.#flow!.subarray(count, count + degree);
        const strongest = heaviest(weights, this.#keep.edges);
        for (const place of strongest) edges.add(first + place);
        if (degree > strongest.length) this.lost += sumOfOthers(weights, strongest);
      }
      count += degree;
    }
    this.edges.all += count;
    if (!edges || edges.size === count) return;
    this.edges.cut += count - edges.size;
    this.steps[this.steps.length - 1] = { senders, edges };
  }

  #findAttended(): Int32Array {
    if (this.#attended) return this.#attended;
    const numbering = this.#numbering;
    numbering.clear();
    this.#forKeptEdges((receiver) => numbering.of(receiver));
    return (this.#attended = numbering.ids.slice(0, numbering.count));
  }

  /** What each of the attended has after the last step. */
  #findAttention(): Float64Array {
    const [numbering, flow] = [this.#numbering, this.#flow!];
    const attention = new Float64Array(this.#attended!.length);
    numbering.clear();
    this.#forKeptEdges((receiver, k) => (attention[numbering.of(receiver)] += flow[k]));
    return attention;
  }

  /** Goes through the edges that the last step keeps: where each leads to, and which of all edges of the senders it is. */
  #forKeptEdges(fn: (receiver: number, k: number) => void): void {
    const { offsets, receivers } = this.#outgoing;
    const { senders, edges } = this.steps.at(-1)!;
    let k = 0;
    for (const node of senders) {
      for (let e = offsets[node]; e < offsets[node + 1]; e++, k++) {
        if (!edges || edges.has(e)) fn(receivers[e], k);
      }
    }
  }
}

/** Of the weights at all places but some, which ascend. */
function sumOfOthers(weights: Flow, places: Int32Array): number {
  let sum = 0;
  for (let place = 0, k = 0; place < weights.length; place++) {
    if (place === places[k]) k += 1;
    else sum += weights[place];
  }
  return sum;
}
