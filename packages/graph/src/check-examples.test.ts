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

  it('finds what a walk of attention step by step finds, on random graphs with and without loops', () => {
    /** Where attention is after `steps`, if it takes every edge. */
    const walk = ({ nodeCount, senders, receivers }: Graph, source: number, steps: number): number[] => {
      let a = Array.from({ length: nodeCount }, (_, node) => Number(node === source));
      for (let t = 0; t < steps; t++) {
        const next = a.map(() => 0);
        senders.forEach((sender, e) => (next[receivers[e]] += a[sender]));
        a = next;
      }
      return a;
    };
    fc.assert(
      fc.property(edgeLists, fc.boolean(), fc.nat(4), (input, looped, steps) => {
        const graph = looped ? withSelfLoops(createGraph(input)) : createGraph(input);
        const nodes = Array.from({ length: graph.nodeCount }, (_, node) => node);
        for (const source of nodes) {
          const a = walk(graph, source, steps);
          for (const destination of nodes) {
            const said = checkExamples(graph, { steps, sources: [source], destinations: [destination] });
            const isOutOfReach = said.some((warning) => warning.startsWith('1 of 1 examples'));
            expect(isOutOfReach).toBe(a[destination] === 0);
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  it.each<[object, string]>([
    [{ destinations: [1] }, 'expected a destination for each of 4 sources, got 1'],
    [{ sources: [0, 0, 1, 4] }, 'expected sources[3] in 0..3 (nodeCount 4), got sources[3] 4'],
    [{ steps: 1.5 }, 'expected steps to be an integer in 0..2147483647, got 1.5'],
    [{ stesp: 2 }, "expected options among steps, sources, destinations, name, got 'stesp'"],
  ])('refuses %o', (more, message) => {
    expect(() => checkExamples(path, { steps: 2, ...pairs, ...more })).toThrow(`checkExamples: ${message}`);
  });
});
