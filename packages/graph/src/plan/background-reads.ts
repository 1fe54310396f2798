/**
 * Which states of the background the cones of a batch read, where attention acts on messages. A state of the background needs
 * nothing but its own past, as no attention acts on the messages into it. So the background has at t whoever is read at t or
 * later: nodes are placed by the time at which they are last read, latest first, and keep their places.
 */
import { perCone } from './example-cone.ts';
import type { ExampleCone } from './example-cone.ts';
import type { OutgoingEdges } from './outgoing-edges.ts';

/** The nodes of the background by place, and how many of them there are at t = 0 … T − 1. */
export interface BatchBackground {
  readonly nodes: Int32Array;
  readonly counts: Int32Array;
}

interface Reads {
  readonly nodes: Int32Array;
  /** The last time at which the background's state of each is read. */
  readonly until: Int32Array;
}

export function backgroundReads({
  offsets,
  receivers,
}: OutgoingEdges): (cones: readonly ExampleCone[], steps: number) => BatchBackground {
  const nodeCount = offsets.length - 1;
  /** Node → place in the cone at hand, and the time at which it is last read; −1 for none. */
  const placeIn = new Int32Array(nodeCount).fill(-1);
  const last = new Int32Array(nodeCount).fill(-1);

  const readsOf = perCone((cone, steps: number): Reads => {
    const { nodes, since, attention, states, kept } = cone;
    const found: number[] = [];
    const read = (node: number, t: number): void => {
      if (t <= last[node]) return;
      if (last[node] < 0) found.push(node);
      last[node] = t;
    };
    nodes.forEach((node, k) => (placeIn[node] = k));
    for (let k = 0; k < nodes.length; k++) {
      const own = Math.max(1, since[k]);
      // A row of its own begins with the state that the node has in the background.
      if (own <= states[k]) read(nodes[k], own - 1);
      if (since[k] > attention[k]) continue;
      if (since[k] === 0) read(nodes[k], 0);
      // The transition reads the states of all receivers, while attention leaves.
      let leaves = Math.min(attention[k], steps - 1);
      while (kept && leaves >= since[k] && !kept[leaves].senders.has(nodes[k])) leaves -= 1;
      if (leaves < since[k]) continue;
      for (let e = offsets[nodes[k]]; e < offsets[nodes[k] + 1]; e++) {
        const place = placeIn[receivers[e]];
        const from = place < 0 || states[place] < 0 ? steps : Math.max(1, since[place]);
        const until = Math.min(leaves, from - 1);
        if (until >= since[k]) read(receivers[e], until);
      }
    }
    const reads = { nodes: Int32Array.from(found), until: Int32Array.from(found, (node) => last[node]) };
    for (const node of nodes) placeIn[node] = -1;
    for (const node of found) last[node] = -1;
    return reads;
  });

  return (cones, steps) => {
    // All are found before they are joined, as both use the same table.
    const ofCones = cones.map((cone) => readsOf(cone, steps));
    const found: number[] = [];
    for (const { nodes, until } of ofCones) {
      for (let k = 0; k < nodes.length; k++) {
        const node = nodes[k];
        if (last[node] < 0) found.push(node);
        if (last[node] < until[k]) last[node] = until[k];
      }
    }
    const counts = new Int32Array(steps + 1);
    for (const node of found) counts[last[node]] += 1;
    for (let t = steps - 1; t >= 0; t--) counts[t] += counts[t + 1];
    const next = counts.slice(1);
    const nodes = new Int32Array(found.length);
    for (const node of found) {
      nodes[next[last[node]]++] = node;
      last[node] = -1;
    }
    return { nodes, counts: counts.subarray(0, steps) };
  };
}
