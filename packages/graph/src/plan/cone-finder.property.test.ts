import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createGraph } from '../graph.ts';
import { adjacencyOf } from './adjacency.ts';
import { coneFinder } from './cone-finder.ts';
import { createConeSearch } from './cone-search.ts';
import type { ExampleCone } from './example-cone.ts';
import { examplePartMaker } from './example-part.ts';
import { Numbering } from './numbering.ts';
import type { PlanKind } from './plan-kind.ts';
import { readNodes } from './shared-rows.ts';

const kinds: Readonly<Record<string, PlanKind>> = {
  acted: { flow: true, acts: true, global: false, reads: 'sender' },
  shared: { flow: true, acts: false, global: false, reads: 'sender' },
  walk: { flow: true, acts: false, global: true, reads: 'nothing' },
  marked: { flow: false, acts: false, global: false, reads: 'sender' },
  siblings: { flow: false, acts: false, global: false, reads: 'siblings' },
};

const worldsOf = (
  nodes: { readonly min: number; readonly max: number },
  edges: { readonly minLength?: number; readonly maxLength: number },
) =>
  fc.integer(nodes).chain((nodeCount) => {
    const node = fc.nat(nodeCount - 1);
    return fc.record({
      nodeCount: fc.constant(nodeCount),
      edges: fc.uniqueArray(fc.tuple(node, node), { ...edges, selector: String }),
      examples: fc.array(fc.tuple(node, node), { minLength: 1, maxLength: 3 }),
      steps: fc.integer({ min: 1, max: 6 }),
      lossOnly: fc.boolean(),
    });
  });

/** Often with dead ends, islands and nodes of many edges. */
const worlds = worldsOf({ min: 1, max: 12 }, { maxLength: 24 });
/** Where fronts grow from step to step, those of the source and those of the destination. */
const wideWorlds = worldsOf({ min: 60, max: 90 }, { minLength: 180, maxLength: 240 });

const graphOf = (nodeCount: number, edges: readonly (readonly [number, number])[]) =>
  createGraph({ nodeCount, senders: edges.map(([i]) => i), receivers: edges.map(([, j]) => j) });

interface PlainCone {
  /** At t = 0 … T. */
  readonly changed: readonly Set<number>[];
  readonly attention: readonly Set<number>[];
  readonly states: readonly Set<number>[];
}

/** The rules as they are written, on sets of all times. */
function plainCone(
  { flow, acts, global, reads }: PlanKind,
  edges: readonly (readonly [number, number])[],
  [source, destination]: readonly [number, number],
  { steps, lossOnly }: { readonly steps: number; readonly lossOnly: boolean },
): PlainCone {
  const out = (nodes: Set<number>) => new Set(edges.flatMap(([i, j]) => (nodes.has(i) ? [j] : [])));
  const into = (nodes: Set<number>) => new Set(edges.flatMap(([i, j]) => (nodes.has(j) ? [i] : [])));
  const union = (...sets: readonly Set<number>[]) => new Set(sets.flatMap((set) => [...set]));
  const both = (a: Set<number>, b: Set<number>) => new Set([...a].filter((node) => b.has(node)));
  const changed = [new Set([source])];
  for (let t = 0; t < steps; t++) {
    const senders = !flow && reads === 'siblings' ? union(changed[t], into(changed[t])) : changed[t];
    changed.push(union(changed[t], out(senders)));
  }
  if (!lossOnly || !flow) return { changed, attention: changed, states: changed };
  const attention: Set<number>[] = [];
  const states: Set<number>[] = [];
  attention[steps] = both(changed[steps], new Set([destination]));
  states[steps] = new Set();
  for (let t = steps - 1; t >= 0; t--) {
    const needed = union(attention[t + 1], into(union(attention[t + 1], states[t + 1])));
    const isCoupled = global && t <= steps - 3 && attention[steps].size > 0;
    attention[t] = isCoupled ? changed[t] : both(changed[t], needed);
    states[t] = acts ? both(changed[t], union(states[t + 1], attention[t], out(attention[t]))) : new Set();
  }
  attention[0].add(source);
  attention[steps].add(destination);
  return { changed, attention, states };
}

/** The nodes whose span of times has t in it. */
const at = ({ nodes, since }: ExampleCone, until: Int32Array, t: number): number[] =>
  [...nodes].filter((_, k) => since[k] <= t && t <= until[k]);

const sorted = (nodes: Iterable<number>): number[] => [...nodes].sort((a, b) => a - b);

it.each(Object.entries(kinds))('finds the sets of the rules, for %s states', (_name, kind) => {
  fc.assert(
    fc.property(
      fc.oneof({ arbitrary: worlds, weight: 4 }, { arbitrary: wideWorlds, weight: 1 }),
      ({ nodeCount, edges, examples, steps, lossOnly }) => {
        const graph = graphOf(nodeCount, edges);
        const coneOf = createConeSearch(adjacencyOf(graph), kind);
        for (const [source, destination] of examples) {
          const cone = coneOf({ source, destination, lossOnly, steps });
          const plain = plainCone(kind, edges, [source, destination], { steps, lossOnly });
          for (let t = 0; t <= steps; t++) {
            const isEnd = t === steps && kind.flow ? [destination] : [];
            expect(at(cone, cone.attention, t)).toEqual(sorted(new Set([...plain.attention[t], ...isEnd])));
            if (kind.acts || !kind.flow) expect(at(cone, cone.states, t)).toEqual(sorted(plain.states[t]));
          }
          expect(coneOf({ source, destination, lossOnly, steps })).toBe(cone);
        }
      },
    ),
    { seed: 1, numRuns: 600 },
  );
});

it('finds who of the background is read, and until when', () => {
  fc.assert(
    fc.property(worlds, ({ nodeCount, edges, examples, steps, lossOnly }) => {
      const graph = graphOf(nodeCount, edges);
      const kind = kinds.acted;
      const adjacency = adjacencyOf(graph);
      const coneOf = createConeSearch(adjacency, kind);
      const cones = examples.map(([source, destination]) => coneOf({ source, destination, lossOnly, steps }));
      const numbering = new Numbering(nodeCount);
      const context = { graph, adjacency, kind, numbering, conesOf: () => cones };
      const partOf = examplePartMaker(context);
      const parts = cones.map((cone, i) =>
        partOf(cone, { source: examples[i][0], destination: examples[i][1], steps }),
      );
      const { nodes = [], counts } = readNodes(numbering)(parts, steps);
      let later: number[] = [];
      for (let t = steps - 1; t >= 0; t--) {
        const read = cones.flatMap((cone) => {
          const own = t === 0 ? [] : at(cone, cone.states, t);
          const next = t + 1 === steps ? [] : at(cone, cone.states, t + 1);
          const leaving = at(cone, cone.attention, t);
          const arriving = edges.flatMap(([i, j]) => (leaving.includes(i) ? [j] : []));
          return [...next, ...leaving, ...arriving].filter((node) => !own.includes(node));
        });
        later = sorted(new Set([...later, ...read]));
        expect(sorted(nodes.slice(0, counts[t]))).toEqual(later);
      }
      expect(nodes.length).toBe(counts[0]);
    }),
    { seed: 1, numRuns: 300 },
  );
});

it('finds the same cone whatever was found before, of more steps or fewer', () => {
  const any = fc.tuple(worlds, fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 5 }));
  fc.assert(
    fc.property(any, ([{ nodeCount, edges, examples, lossOnly }, lengths]) => {
      const adjacency = adjacencyOf(graphOf(nodeCount, edges));
      const used = coneFinder(adjacency, kinds.acted);
      for (const steps of lengths) {
        const [source, destination] = examples[0];
        const example = { source, destination, lossOnly, steps };
        expect(used(example)).toEqual(coneFinder(adjacency, kinds.acted)(example));
      }
    }),
    { seed: 1, numRuns: 200 },
  );
});

it.each(Object.entries(kinds))('finds the same cone where its nodes are few of many: %s', (_name, kind) => {
  const apart = 997;
  fc.assert(
    fc.property(worlds, ({ nodeCount, edges, examples, steps, lossOnly }) => {
      const spread = edges.map(([i, j]) => [i * apart, j * apart] as const);
      const few = coneFinder(adjacencyOf(graphOf(nodeCount, edges)), kind);
      const many = coneFinder(adjacencyOf(graphOf(12 * apart, spread)), kind);
      for (const [source, destination] of examples) {
        const { nodes, senders, ...times } = few({ source, destination, lossOnly, steps });
        expect(many({ source: source * apart, destination: destination * apart, lossOnly, steps })).toEqual({
          ...times,
          nodes: nodes.map((node) => node * apart),
          ...(senders && { senders: { ...senders, nodes: senders.nodes.map((node) => node * apart) } }),
        });
      }
    }),
    { seed: 1, numRuns: 60 },
  );
});
