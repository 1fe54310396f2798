import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createGraph } from '../graph.ts';
import { adjacencyOf } from './adjacency.ts';
import type { ExampleCone } from './example-cone.ts';
import { KeptExample } from './kept-flow.ts';
import type { Keep } from './kept-flow.ts';
import { Numbering } from './numbering.ts';
import type { PlanKind } from './plan-kind.ts';

const kinds: Readonly<Record<string, PlanKind>> = {
  acted: { flow: true, acts: true, global: false, reads: 'sender' },
  shared: { flow: true, acts: false, global: false, reads: 'sender' },
  walk: { flow: true, acts: false, global: true, reads: 'nothing' },
};

const worlds = fc.integer({ min: 6, max: 30 }).chain((nodeCount) => {
  const node = fc.nat(nodeCount - 1);
  return fc.record({
    nodeCount: fc.constant(nodeCount),
    edges: fc.uniqueArray(fc.tuple(node, node), {
      minLength: 2 * nodeCount,
      maxLength: 4 * nodeCount,
      selector: String,
    }),
    ends: fc.tuple(node, node),
    steps: fc.integer({ min: 1, max: 6 }),
    keep: fc.record({ nodes: fc.integer({ min: 1, max: 6 }), edges: fc.integer({ min: 1, max: 4 }) }),
    weights: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 7, maxLength: 7 }),
  });
});

type Edge = readonly [number, number];

/** What an example carries on at each step: its senders, and the edges along which it does. */
interface Carried {
  readonly senders: Set<number>;
  readonly edges: readonly Edge[];
}

/** Takes all steps, after a flow that looks random. */
function choose(example: KeptExample, steps: number, source: number, keep: Keep, weights: number[]): void {
  const know = (): void => {
    const { kept, fans } = example.coneAhead();
    const { sends } = kept!.steps.at(-1)!;
    const { offsets } = fans!.leaving;
    const count = sends.reduce((sum, each, k) => sum + each * (offsets[k + 1] - offsets[k]), 0);
    const flow = Float64Array.from({ length: count }, (_, k) => 0.1 + weights[(5 * k + example.length) % 7]);
    expect(example.know(flow, false)).toBe(count);
  };
  example.begin(source, keep);
  for (let t = 0; t < steps; t++) {
    if (example.needsAttention) know();
    example.chooseNodes();
    if (example.needsFlow) know();
    example.chooseEdges();
  }
}

/** The nodes whose span of times has t in it. */
const at = ({ nodes, since }: ExampleCone, until: Int32Array, t: number): number[] =>
  [...nodes].filter((_, k) => since[k] <= t && t <= until[k]);

const sorted = (nodes: Iterable<number>): number[] => [...nodes].sort((a, b) => a - b);

it.each(Object.entries(kinds))('are those of the rules on sets, for %s states', (_name, kind) => {
  let cut = 0;
  fc.assert(
    fc.property(worlds, ({ nodeCount, edges, ends: [source, destination], steps, keep, weights }) => {
      const [senders, receivers] = [0, 1].map((end) => edges.map((edge) => edge[end]));
      const graph = createGraph({ nodeCount, senders, receivers });
      const adjacency = adjacencyOf(graph);
      const numbering = new Numbering(nodeCount);
      const context = { graph, adjacency, kind, numbering, conesOf: () => [] };
      const [one, other] = [new KeptExample(context), new KeptExample(context)];
      for (const example of [one, other]) choose(example, steps, source, keep, weights);
      cut += one.nodes.cut + one.edges.cut;
      const whole = one.cone(destination, false);
      const loss = other.cone(destination, true);

      // What is carried on, of the cone of all that attention comes to.
      const { begins, steps: chosen } = whole.kept!;
      const carried = chosen.map(({ sends, edges }): Carried => {
        const along: Edge[] = [];
        whole.nodes.forEach((node, k) => {
          for (let e = adjacency.outOf.offsets[node]; e < adjacency.outOf.offsets[node + 1]; e++) {
            const isKept = edges?.[begins[k] + e - adjacency.outOf.offsets[node]] !== 0;
            if (sends[k] === 1 && isKept) along.push([node, adjacency.outOf.ends[e]]);
          }
        });
        return { senders: new Set(whole.nodes.filter((_, k) => sends[k] === 1)), edges: along };
      });
      for (const { senders, edges: along } of carried) {
        expect(senders.size).toBeLessThanOrEqual(keep.nodes);
        for (const node of senders) {
          const degree = adjacency.outOf.offsets[node + 1] - adjacency.outOf.offsets[node];
          expect(along.filter(([i]) => i === node)).toHaveLength(Math.min(degree, keep.edges));
        }
      }

      // F_{t+1} = F_t and whoever is sent to; the rules of the loss as in cone-finder.ts, of senders of each step alone.
      const F = [new Set([source])];
      for (const { edges: along } of carried) F.push(new Set([...F.at(-1)!, ...along.map(([, j]) => j)]));
      const everSent = new Set(carried.flatMap(({ senders }) => [...senders]));
      const isReached = F[steps].has(destination);
      const A: Set<number>[] = [];
      const S: Set<number>[] = [];
      A[steps] = new Set([destination]);
      S[steps] = new Set();
      for (let t = steps - 1; t >= 0; t--) {
        const leading = carried[t].edges
          .filter(([, j]) => A[t + 1].has(j) || S[t + 1].has(j))
          .map(([i]) => i);
        const stays = [...A[t + 1], ...leading].filter((node) => F[t].has(node));
        A[t] = new Set(kind.global && t <= steps - 3 && isReached ? F[t] : stays);
        const read = edges.filter(([i]) => A[t].has(i) && everSent.has(i)).map(([, j]) => j);
        const states = [...S[t + 1], ...A[t], ...read].filter((node) => F[t].has(node));
        S[t] = new Set(kind.acts ? states : []);
      }
      A[0].add(source);
      for (let t = 0; t <= steps; t++) {
        const isEnd = t === steps ? [destination] : [];
        expect(at(whole, whole.attention, t)).toEqual(sorted(new Set([...F[t], ...isEnd])));
        expect(at(loss, loss.attention, t)).toEqual(sorted(A[t]));
        expect(at(loss, loss.states, t)).toEqual(sorted(S[t]));
      }
    }),
    { seed: 1, numRuns: 500 },
  );
  expect(cut).toBeGreaterThan(1000);
});
