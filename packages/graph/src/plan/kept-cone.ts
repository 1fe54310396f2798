/** Cones of examples that do not carry on all attention. They grow along the edges that are kept, by the rules of `cone-finder.ts`. */
import type { ConeFans, ExampleCone, KeptFlow, KeptStep } from './example-cone.ts';
import type { FoundNodes } from './found-nodes.ts';
import { sideBySide } from './int-room.ts';
import type { PlanKind } from './plan-kind.ts';
import { pick } from './typed-ids.ts';

/** What is carried on at one step, by place. Places that were found later have no number in `sends`. */
export interface ChosenStep extends KeptStep {
  /** The places of the nodes whose attention goes on. */
  readonly senders: Int32Array;
}

/** The cone of `places`, which are in the order of their nodes; the last two say until when each is in A and in S. */
export function keptCone(
  found: FoundNodes,
  chosen: readonly ChosenStep[],
  places: Int32Array,
  attention: Int32Array,
  states: Int32Array,
): ExampleCone {
  const [nodes, since, begins] = sideBySide(places.length, 3);
  for (let k = 0; k < places.length; k++) {
    nodes[k] = found.nodes[places[k]];
    since[k] = found.since[places[k]];
    begins[k] = found.begins[places[k]];
  }
  const steps = chosen.map(({ sends, edges }) => {
    const own = new Uint8Array(places.length);
    for (let k = 0; k < own.length; k++) if (places[k] < sends.length) own[k] = sends[places[k]];
    return edges ? { sends: own, edges } : { sends: own };
  });
  const kept: KeptFlow = { begins, steps };
  return { nodes, since, attention, states, kept };
}

/** The edges that leave some places, of those that were looked up. */
export function fansOf(found: FoundNodes, places: Int32Array): ConeFans {
  const { begins, ends: endsFound } = found;
  const numbers = new Int32Array(found.count).fill(-1);
  const nodes = new Int32Array(found.count);
  const offsets = new Int32Array(places.length + 1);
  for (let k = 0; k < places.length; k++) {
    const place = places[k];
    numbers[place] = k;
    nodes[k] = found.nodes[place];
    offsets[k + 1] = offsets[k] + found.stops[place] - begins[place];
  }
  const ends = new Int32Array(offsets[places.length]);
  let count = places.length;
  for (let k = 0; k < places.length; k++) {
    const first = begins[places[k]] - offsets[k];
    for (let i = offsets[k]; i < offsets[k + 1]; i++) {
      const place = endsFound[first + i];
      if (numbers[place] < 0) {
        numbers[place] = count;
        nodes[count++] = found.nodes[place];
      }
      ends[i] = numbers[place];
    }
  }
  return { nodes: nodes.subarray(0, count), leaving: { offsets, ends } };
}

/** The cone of the loss. All senders were looked up but those of the last step, of which few lead to the destination. */
export function keptConeOfLoss(
  found: FoundNodes,
  chosen: readonly ChosenStep[],
  { acts, global }: PlanKind,
  destination: number,
): ExampleCone {
  const T = chosen.length;
  const end = found.placeOf(destination);
  const wasReached = found.since[end] >= 0;
  const leading = leadingTo(found, chosen[T - 1], destination);
  if (acts) found.lookUp(chosen[T - 1].sends[end] === 1 ? Int32Array.of(...leading, end) : leading);
  const { since } = found;
  const [attention, states] = sideBySide(found.count, 2);
  attention.fill(-1);
  states.fill(-1);
  const add = (place: number, t: number): void => {
    if (attention[place] < t) attention[place] = t;
    if (!acts) return;
    // Its transition reads the states of all that it leads to.
    if (states[place] < t) states[place] = t;
    for (let j = found.begins[place]; j < found.stops[place]; j++) {
      const to = found.ends[j];
      if (since[to] >= 0 && since[to] <= t && states[to] < t) states[to] = t;
    }
  };
  attention[end] = T;
  for (let k = 0; k < leading.length; k++) add(leading[k], T - 1);
  if (wasReached) add(end, T - 1);
  for (let t = T - 2; t >= 0 && (wasReached || leading.length > 0); t--) {
    if (global && t <= T - 3) {
      for (let k = 0; k < found.fronts[t]; k++) add(found.reached[k], t);
      break;
    }
    const { senders, edges } = chosen[t];
    for (let k = 0; k < senders.length; k++) {
      if (attention[senders[k]] < t && leadsOn(found, senders[k], edges, t, attention, states))
        add(senders[k], t);
    }
  }
  // The ends are in it, whether or not one leads to the other.
  if (attention[0] < 0) attention[0] = 0;
  if (!wasReached) since[end] = T;
  const inCone = new Int32Array(found.count);
  let count = 0;
  for (let place = 0; place < inCone.length; place++) {
    if (attention[place] >= 0 || states[place] >= 0) inCone[count++] = place;
  }
  const places = found.ascending(inCone.subarray(0, count));
  return keptCone(found, chosen, places, pick(attention, places), pick(states, places));
}

/** Whether an edge that is kept at t leads from a place to one that is in A or S at t + 1. */
function leadsOn(
  found: FoundNodes,
  place: number,
  edges: Uint8Array | undefined,
  t: number,
  attention: Int32Array,
  states: Int32Array,
): boolean {
  const { ends } = found;
  const last = found.stops[place];
  for (let j = found.begins[place]; j < last; j++) {
    if (edges && edges[j] === 0) continue;
    if (attention[ends[j]] > t || states[ends[j]] > t) return true;
  }
  return false;
}

/** Who sends to the destination at the last step: found from there, or from all that send, if these are fewer. */
function leadingTo(
  found: FoundNodes,
  { senders, sends, edges }: ChosenStep,
  destination: number,
): Int32Array {
  const { into, outOf } = found.adjacency;
  const leads = (place: number): boolean => {
    const node = found.nodes[place];
    const first = outOf.offsets[node];
    const degree = outOf.offsets[node + 1] - first;
    for (let i = 0; i < degree; i++) {
      if (outOf.ends[first + i] === destination && (!edges || edges[found.begins[place] + i] === 1))
        return true;
    }
    return false;
  };
  const incoming = into.ends.subarray(into.offsets[destination], into.offsets[destination + 1]);
  if (incoming.length > senders.length) return senders.filter(leads);
  const leading = new Set<number>();
  for (let k = 0; k < incoming.length; k++) {
    const place = found.find(incoming[k]);
    if (place >= 0 && sends[place] === 1 && leads(place)) leading.add(place);
  }
  return Int32Array.from(leading);
}
