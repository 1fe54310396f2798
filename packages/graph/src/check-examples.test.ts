import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkExamples } from './check-examples.ts';
import { createGraph } from './graph.ts';
import type { Graph } from './graph.ts';
import { edgeLists } from './random-graphs.cases.ts';
import { withSelfLoops } from './self-loops.ts';

/** 0 → 1 → 2 → 3 */
const path = createGraph({ nodeCount: 4, senders: [0, 1, 2], receivers: [1, 2, 3] });
const pairs = { sources: [0, 0, 1, 3], destinations: [2, 3, 1, 0] };

describe('checkExamples', () => {
  it('says nothing where all is well', () => {
    const loops = withSelfLoops(path);
    expect(checkExamples(loops, { steps: 3, sources: [0, 0, 2], destinations: [0, 3, 3] })).toEqual([]);
    expect(checkExamples(loops, { steps: 3, sources: [], destinations: [] })).toEqual([]);
  });

  it('counts examples whose destination is out of reach within the steps', () => {
    expect(checkExamples(withSelfLoops(path), { steps: 2, ...pairs, name: 'training pairs' })).toEqual([
      '2 of 4 training pairs have a destination that no attention can be at after 2 steps: their loss is a constant ' +
        'without a gradient (give more steps, or leave them out: numbers 1, 3)',
    ]);
  });

  it('tells where attention cannot stay, and then asks for paths of exactly so many steps', () => {
    expect(checkExamples(path, { steps: 2, ...pairs })).toEqual([
      '4 of 4 nodes have no self-loop: attention cannot stay there, and at 1 of them, which no edge leaves, it is lost ' +
        '(withSelfLoops(graph) adds a loop to every node)',
      '3 of 4 examples have a destination that no attention can be at after 2 steps: their loss is a constant ' +
        'without a gradient (give more steps, or leave them out: numbers 1, 2, 3)',
    ]);
  });

  it('shortens a long list, and counts in thousands', () => {
    const many = { sources: new Int32Array(1234).fill(3), destinations: new Int32Array(1234) };
    const [warning] = checkExamples(withSelfLoops(path), { steps: 9, ...many });
    expect(warning).toContain('1,234 of 1,234 examples');
    expect(warning).toContain('numbers 0, 1, 2, 3, 4, …)');
  });

  it('walks along no edge that is hidden from an example, and counts what that puts out of reach', () => {
    // 0 ⇄ 1 by two types, 1 → 2 → 0: with 0 → 1 hidden there is another way, with both there is none.
    const ring = withSelfLoops(
      createGraph({
        ...{ nodeCount: 4, edgeTypeCount: 2 },
        ...{ senders: [0, 0, 1, 2], receivers: [1, 1, 2, 0], edgeTypes: [0, 1, 0, 0] },
      }),
    );
    const asked = { sources: [0, 0, 1, 0, 1], destinations: [1, 1, 2, 3, 0] };
    const hidden = [[0], [0, 1], [2], [0], []];
    expect(checkExamples(ring, { steps: 2, ...asked, hidden })).toEqual([
      '3 of 5 examples have a destination that no attention can be at after 2 steps, 2 of them because of the edges that are ' +
        'hidden from them: their loss is a constant without a gradient (give more steps, or leave them out: numbers 1, 2, 3)',
    ]);
    expect(checkExamples(ring, { steps: 2, ...asked })[0]).toContain('1 of 5 examples');
  });

  it('finds what a walk of attention step by step finds, on random graphs with and without loops and hidden edges', () => {
    /** Where attention is after `steps`, if it takes every edge. */
    const walk = (graph: Graph, source: number, steps: number, hidden: readonly number[]): number[] => {
      const { nodeCount, senders, receivers } = graph;
      let a = Array.from({ length: nodeCount }, (_, node) => Number(node === source));
      for (let t = 0; t < steps; t++) {
        const next = a.map(() => 0);
        senders.forEach((sender, e) => (next[receivers[e]] += hidden.includes(e) ? 0 : a[sender]));
        a = next;
      }
      return a;
    };
    fc.assert(
      fc.property(edgeLists, fc.boolean(), fc.nat(4), fc.array(fc.nat(99)), (input, looped, steps, some) => {
        const graph = looped ? withSelfLoops(createGraph(input)) : createGraph(input);
        const nodes = Array.from({ length: graph.nodeCount }, (_, node) => node);
        // Loops are among them.
        const hidden = graph.edgeCount === 0 ? [] : some.map((edge) => edge % graph.edgeCount);
        for (const source of nodes) {
          const a = walk(graph, source, steps, hidden);
          for (const destination of nodes) {
            const pair = { sources: [source], destinations: [destination], hidden: [hidden] };
            const said = checkExamples(graph, { steps, ...pair });
            const isOutOfReach = said.some((warning) => warning.startsWith('1 of 1 examples'));
            expect(isOutOfReach).toBe(a[destination] === 0);
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it.each<[object, string]>([
    [{ destinations: [1] }, 'expected a destination for each of 4 sources, got 1'],
    [{ sources: [0, 0, 1, 4] }, 'expected sources[3] in 0..3 (nodeCount 4), got sources[3] 4'],
    [{ hidden: [[0]] }, 'expected hidden edges for each of 4 sources, got 1'],
    [{ hidden: [[], [3], [], []] }, 'expected hidden edges in 0..2, got 3'],
    [{ steps: 1.5 }, 'expected steps to be an integer in 0..2147483647, got 1.5'],
    [{ stesp: 2 }, "expected options among steps, sources, destinations, hidden, name, got 'stesp'"],
  ])('refuses %o', (more, message) => {
    expect(() => checkExamples(path, { steps: 2, ...pairs, ...more })).toThrow(`checkExamples: ${message}`);
  });
});
