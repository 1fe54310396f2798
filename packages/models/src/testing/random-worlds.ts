/** Random directed graphs with a batch, for property tests. */
import { createGraph, withSelfLoops } from '@flowgrad/graph';
import type { Graph } from '@flowgrad/graph';
import fc from 'fast-check';

export interface RandomWorld {
  readonly graph: Graph;
  readonly sources: readonly number[];
  readonly destinations: readonly number[];
  readonly steps: number;
}

/**
 * Up to 9 nodes, few edges (so that there are islands and dead ends), with a self-loop on every node, on some or on none
 * (attention on a node without a way out is then lost); examples may be alike, and destinations out of reach.
 */
export const randomWorlds: fc.Arbitrary<RandomWorld> = fc
  .record({ nodeCount: fc.integer({ min: 2, max: 9 }), loops: fc.boolean() })
  .chain(({ nodeCount, loops }) => {
    const node = fc.nat(nodeCount - 1);
    const edges = fc.uniqueArray(fc.tuple(node, node, fc.nat(1)), {
      minLength: 1,
      maxLength: 14,
      selector: String,
    });
    const examples = fc.array(fc.tuple(node, node), { minLength: 1, maxLength: 3 });
    return fc.record({ edges, examples, steps: fc.integer({ min: 1, max: 5 }) }).map((made) => {
      const bare = createGraph({
        nodeCount,
        senders: made.edges.map(([sender]) => sender),
        receivers: made.edges.map(([, receiver]) => receiver),
        edgeTypes: made.edges.map(([, , type]) => type),
        edgeTypeCount: 2,
      });
      return {
        graph: loops ? withSelfLoops(bare) : bare,
        sources: made.examples.map(([source]) => source),
        destinations: made.examples.map(([, destination]) => destination),
        steps: made.steps,
      };
    });
  });

/** Those with a self-loop on every node, which models that stop need. */
export const loopedWorlds = randomWorlds.filter(({ graph }) => graph.edgeTypeCount === 3);

/**
 * A ring of 40 nodes with some shortcuts, and examples that stay close together: most of the graph is out of their reach
 * within the 1 to 3 steps there are.
 */
export const wideWorlds: fc.Arbitrary<RandomWorld> = fc
  .record({
    shortcuts: fc.uniqueArray(fc.nat(39), { maxLength: 10 }),
    examples: fc.array(fc.tuple(fc.nat(3), fc.nat(5)), { minLength: 1, maxLength: 3 }),
    steps: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ shortcuts, examples, steps }) => {
    const around = Array.from({ length: 40 }, (_, node) => node);
    const senders = [...around, ...shortcuts];
    const receivers = [...around.map((node) => (node + 1) % 40), ...shortcuts.map((node) => (node + 2) % 40)];
    const edgeTypes = senders.map((_, edge) => edge % 2);
    return {
      graph: withSelfLoops(createGraph({ nodeCount: 40, senders, receivers, edgeTypes, edgeTypeCount: 2 })),
      sources: examples.map(([source]) => source),
      destinations: examples.map(([, destination]) => destination),
      steps,
    };
  });
