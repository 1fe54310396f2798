/** The nodes that attention comes to step by step, and all that they lead to. */
import { fetchNeighbours } from './adjacency.ts';
import type { Adjacency, Neighbours } from './adjacency.ts';
import { grown } from './int-room.ts';
import type { Numbering } from './numbering.ts';
import { pick } from './typed-ids.ts';

/**
 * Nodes are known by place, in the order in which they are found. Whoever attention leaves is looked up once, with all its edges.
 * All examples take turns with one numbering of nodes: so that its memory stays in a processor's caches.
 */
export class FoundNodes {
  readonly adjacency: Adjacency;
  /** How many places there are. */
  count = 0;
  // By place: its node, and since when it is in F, −1 if it is not.
  nodes = new Int32Array(2 ** 8);
  since = new Int32Array(2 ** 8);
  // By place: where its edges begin and end in `ends`; −1 if it was not looked up.
  begins = new Int32Array(2 ** 8);
  stops = new Int32Array(2 ** 8);
  /** Edge → the place that it leads to: the first `edgeCount` of these. */
  ends = new Int32Array(2 ** 10);
  edgeCount = 0;
  /** Those in F, one after another, and how many they were at t = 0, 1, … */
  reached = new Int32Array(2 ** 8);
  readonly fronts: number[] = [];
  readonly #numbering: Numbering;

  /** `numbering` is lent, and of all nodes. */
  constructor(adjacency: Adjacency, numbering: Numbering) {
    this.adjacency = adjacency;
    this.#numbering = numbering;
  }

  /** Forgets all, and begins with one node, whose place is 0. */
  begin(node: number): void {
    this.count = this.edgeCount = this.fronts.length = 0;
    this.#numbering.clear(this);
    this.reach([this.placeOf(node)], 0);
  }

  /** The place of a node, which it is given if it has none. */
  placeOf(node: number): number {
    const numbers = this.#bring();
    const place = numbers.of(node);
    this.#takeNew(numbers);
    return place;
  }

  /** The place of a node; −1 if it was not found. */
  find(node: number): number {
    return this.#bring().find(node);
  }

  degreeOf(place: number): number {
    const { offsets } = this.adjacency.outOf;
    const node = this.nodes[place];
    return offsets[node + 1] - offsets[node];
  }

  /** Finds out whom some places lead to. */
  lookUp(places: Int32Array): void {
    const { outOf } = this.adjacency;
    const nodes = new Int32Array(places.length);
    let count = 0;
    let edges = this.edgeCount;
    for (let k = 0; k < places.length; k++) {
      const place = places[k];
      if (this.begins[place] >= 0) continue;
      const node = this.nodes[place];
      nodes[count++] = node;
      this.begins[place] = edges;
      edges += outOf.offsets[node + 1] - outOf.offsets[node];
      this.stops[place] = edges;
    }
    if (count === 0) return;
    fetchNeighbours(outOf, nodes, 0, count);
    if (edges > this.ends.length) this.ends = grown(this.ends, 2 * edges);
    const numbers = this.#bring();
    this.#addEnds(outOf, nodes, count, numbers);
    this.#takeNew(numbers);
  }

  #addEnds({ offsets, ends }: Neighbours, nodes: Int32Array, count: number, numbers: Numbering): void {
    const to = this.ends;
    let edge = this.edgeCount;
    for (let k = 0; k < count; k++) numbers.fetch(ends, offsets[nodes[k]], offsets[nodes[k] + 1]);
    for (let k = 0; k < count; k++) {
      const last = offsets[nodes[k] + 1];
      for (let e = offsets[nodes[k]]; e < last; e++) to[edge++] = numbers.of(ends[e]);
    }
    this.edgeCount = edge;
  }

  /** Has the nodes numbered by place, whoever had the turn before. */
  #bring(): Numbering {
    const numbering = this.#numbering;
    if (numbering.by === this) return numbering;
    numbering.clear(this);
    numbering.fetch(this.nodes, 0, this.count);
    for (let place = 0; place < this.count; place++) numbering.of(this.nodes[place]);
    return numbering;
  }

  /** Takes over those that were given places. */
  #takeNew({ ids, count }: Numbering): void {
    const before = this.count;
    if (count === before) return;
    if (count > this.nodes.length) {
      this.nodes = grown(this.nodes, 2 * count);
      this.since = grown(this.since, 2 * count);
      this.begins = grown(this.begins, 2 * count);
      this.stops = grown(this.stops, 2 * count);
      this.reached = grown(this.reached, 2 * count);
    }
    this.nodes.set(ids.subarray(before, count), before);
    this.since.fill(-1, before, count);
    this.begins.fill(-1, before, count);
    this.stops.fill(-1, before, count);
    this.count = count;
  }

  /** Takes places into F that are not in it. */
  reach(places: ArrayLike<number>, t: number): void {
    const { since, reached } = this;
    let count = this.fronts[t] ?? this.fronts[t - 1] ?? 0;
    for (let k = 0; k < places.length; k++) {
      if (since[places[k]] >= 0) continue;
      since[places[k]] = t;
      reached[count++] = places[k];
    }
    this.fronts[t] = count;
  }

  /** Some places, as their nodes ascend. */
  ascending(places: Int32Array): Int32Array {
    const nodes = pick(this.nodes, places).sort();
    const numbers = this.#bring();
    for (let k = 0; k < nodes.length; k++) nodes[k] = numbers.of(nodes[k]);
    return nodes;
  }
}
