import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NodeTable } from './node-table.ts';

/** Nodes all over a graph of this many, or close together. */
const nodeCount = 5000;
const node = fc.oneof(fc.nat(nodeCount - 1), fc.nat(40));

it('has what a map has, while it grows, after it was cleared, and where each node has its own place', () => {
  const rounds = fc.array(fc.array(node, { maxLength: 300 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(rounds, fc.constantFrom(2, 64, 4096, 8192), (nodesOf, smallest) => {
      const table = new NodeTable(nodeCount, smallest);
      for (const nodes of nodesOf) {
        table.clear();
        const plain = new Map<number, number[]>();
        nodes.forEach((each, k) => {
          const at = table.add(each);
          const numbers = plain.get(each) ?? [0, 0, 0];
          expect([...table.values.subarray(at, at + 3)]).toEqual(numbers);
          numbers[k % 3] = table.values[at + (k % 3)] = k;
          plain.set(each, numbers);
        });
        for (const each of [...nodes, 0, 7, nodeCount - 1]) {
          const at = table.find(each);
          expect(at > 0 ? [...table.values.subarray(at, at + 3)] : undefined).toEqual(plain.get(each));
        }
      }
    }),
    { numRuns: 60 },
  );
});

it('takes the room of the nodes it has, however large the graph', () => {
  const table = new NodeTable(1_000_000, 16);
  for (let each = 0; each < 1000; each++) table.add(each * 997);
  expect(table.values.length).toBeLessThanOrEqual(4 * 4096);
});
