/**
 * Pruned flow: of each example, a step carries on the attention of the most attended nodes alone, and of these only what
 * flows along their strongest outgoing edges. In small worlds, where a cone is the whole graph after a few steps, that
 * bounds what a step costs.
 *
 * What is kept at t follows from the attention of t. Where more nodes have attention than are kept, a plan of the steps so far is made
 * and run, and the flow of its last step is read back; so it goes on to T. The plan that comes out is a plan as any other, of a
 * cone that grows along the kept edges.
 */
import type { ConeContext } from './cone-context.ts';
import type { ExampleCone } from './example-cone.ts';
import { FoundNodes } from './found-nodes.ts';
import { heaviest } from './heaviest.ts';
import { fansOf, keptCone, keptConeOfLoss } from './kept-cone.ts';
import type { ChosenStep } from './kept-cone.ts';
import type { PlanKind } from './plan-kind.ts';

/** How much attention is carried on. */
export interface Keep {
  /** Per example and step: so many nodes, those with most attention. */
  readonly nodes: number;
  /** Of each of these nodes: so many outgoing edges, those along which most flows. */
  readonly edges: number;
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
  lost = 0;
  readonly nodes = { all: 0, cut: 0 };
  readonly edges = { all: 0, cut: 0 };
  #keep: Keep = { nodes: 0, edges: 0 };
  readonly #kind: PlanKind;
  readonly #found: FoundNodes;
  #steps: ChosenStep[] = [];
  /** The places with attention after the last step, in any order, where that was asked for. */
  #attended: Int32Array | undefined;
  /** Edge → ã at the last step, where that is known. */
  #flow: Float64Array | undefined;
  /** The places of the cone that was last run ahead. */
  #ahead: Int32Array = new Int32Array(0);

  constructor({ adjacency, kind, numbering }: ConeContext) {
    this.#kind = kind;
    this.#found = new FoundNodes(adjacency, numbering);
  }

  /** Forgets all, and begins with an example that has taken no step. */
  begin(source: number, keep: Keep): void {
    this.#keep = keep;
    this.lost = this.nodes.all = this.nodes.cut = this.edges.all = this.edges.cut = 0;
    this.#steps = [];
    this.#flow = undefined;
    this.#found.begin(source);
    this.#attended = Int32Array.of(0);
  }

  /** How many steps were opened. */
  get length(): number {
    return this.#steps.length;
  }

  /** Whether the next nodes cannot be chosen before the flow of the last step is known. */
  get needsAttention(): boolean {
    return !this.#flow && this.#findAttended().length > this.#keep.nodes;
  }

  /** Opens the next step: its senders are the most attended nodes, and all their edges are in it. */
  chooseNodes(): void {
    const found = this.#found;
    const attended = this.#findAttended();
    let senders = attended;
    if (attended.length > this.#keep.nodes) {
      const attention = this.#findAttention(attended);
      senders = heaviest(attention, this.#keep.nodes, found.nodes);
      this.nodes.cut += attended.length - senders.length;
      this.lost += sumAt(attention, attended) - sumAt(attention, senders);
    }
    this.nodes.all += attended.length;
    const sends = new Uint8Array(found.count);
    for (let k = 0; k < senders.length; k++) sends[senders[k]] = 1;
    this.#steps.push({ senders, sends });
    this.#attended = this.#flow = undefined;
  }

  /** Whether the edges of the step cannot be chosen before its flow is known. */
  get needsFlow(): boolean {
    const { senders } = this.#steps.at(-1)!;
    return senders.some((place) => this.#found.degreeOf(place) > this.#keep.edges);
  }

  /** Of each sender of the step the strongest edges are kept. */
  chooseEdges(): void {
    const found = this.#found;
    const step = this.#steps.at(-1)!;
    const [flow, most] = [this.#flow, this.#keep.edges];
    let edges: Uint8Array | undefined;
    for (let k = 0; k < step.senders.length; k++) {
      const degree = found.degreeOf(step.senders[k]);
      this.edges.all += degree;
      if (!flow || degree <= most) continue;
      const first = found.begins[step.senders[k]];
      const weights = flow.subarray(first, first + degree);
      const strongest = heaviest(weights, most);
      this.lost += sumOf(weights) - sumAt(weights, strongest);
      this.edges.cut += degree - strongest.length;
      edges ??= new Uint8Array(found.edgeCount).fill(1);
      edges.fill(0, first, first + degree);
      for (const i of strongest) edges[first + i] = 1;
    }
    if (edges) this.#steps[this.#steps.length - 1] = { ...step, edges };
  }

  /** The cone of the steps so far. It is run only to read the flow of the last one, so it has no nodes for where that arrives. */
  coneAhead(): ExampleCone {
    const found = this.#found;
    const last = this.#steps.length - 1;
    found.lookUp(this.#steps[last].senders);
    const places = found.ascending(found.reached.subarray(0, found.fronts[last]));
    this.#ahead = places;
    const until = new Int32Array(places.length).fill(last);
    return { ...keptCone(found, this.#steps, places, until, until), fans: fansOf(found, places) };
  }

  /**
   * Takes ã of the last step, as a plan of `coneAhead()` gives it: of the edges of its senders or, with `ofAll`, of all that have
   * sent so far, node after node. Returns how many edges these are, the first of `flow`.
   */
  know(flow: Flow, ofAll: boolean): number {
    const found = this.#found;
    const { sends } = this.#steps.at(-1)!;
    const known = new Float64Array(found.edgeCount);
    let count = 0;
    for (let k = 0; k < this.#ahead.length; k++) {
      const place = this.#ahead[k];
      if (!ofAll && sends[place] === 0) continue;
      const last = found.stops[place];
      for (let j = found.begins[place]; j < last; j++) known[j] = flow[count++];
    }
    this.#flow = known;
    return count;
  }

  /** The cone of all steps. */
  cone(destination: number | undefined, lossOnly: boolean): ExampleCone {
    const found = this.#found;
    const T = this.#steps.length;
    if (lossOnly) return keptConeOfLoss(found, this.#steps, this.#kind, destination!);
    this.#findAttended();
    // The destination is in it, whether or not anything leads there.
    if (destination !== undefined) found.reach([found.placeOf(destination)], T);
    const places = found.ascending(found.reached.subarray(0, found.fronts[T]));
    const until = new Int32Array(places.length).fill(T);
    return keptCone(found, this.#steps, places, until, until);
  }

  #findAttended(): Int32Array {
    if (this.#attended) return this.#attended;
    const found = this.#found;
    const { senders, edges } = this.#steps.at(-1)!;
    found.lookUp(senders);
    const isFound = new Uint8Array(found.count);
    const attended = new Int32Array(found.count);
    let count = 0;
    for (let k = 0; k < senders.length; k++) {
      const last = found.stops[senders[k]];
      for (let j = found.begins[senders[k]]; j < last; j++) {
        const place = found.ends[j];
        if (isFound[place] === 1 || edges?.[j] === 0) continue;
        isFound[place] = 1;
        attended[count++] = place;
      }
    }
    this.#attended = attended.subarray(0, count);
    found.reach(this.#attended, this.#steps.length);
    return this.#attended;
  }

  /** Place → what it has after the last step; −1 for those that are not attended. */
  #findAttention(attended: Int32Array): Float64Array {
    const found = this.#found;
    const flow = this.#flow!;
    const { senders, edges } = this.#steps.at(-1)!;
    const attention = new Float64Array(found.count).fill(-1);
    for (let k = 0; k < attended.length; k++) attention[attended[k]] = 0;
    for (let k = 0; k < senders.length; k++) {
      const last = found.stops[senders[k]];
      for (let j = found.begins[senders[k]]; j < last; j++) {
        if (edges?.[j] !== 0) attention[found.ends[j]] += flow[j];
      }
    }
    return attention;
  }
}

function sumOf(weights: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < weights.length; k++) sum += weights[k];
  return sum;
}

function sumAt(weights: Float64Array, places: Int32Array): number {
  let sum = 0;
  for (let k = 0; k < places.length; k++) sum += weights[places[k]];
  return sum;
}
