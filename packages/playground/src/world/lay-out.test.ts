import { createGraph } from '@flowgrad/graph';
import { expect, it } from 'vitest';
import type { LayoutNews } from '../protocol/world-protocol.ts';
import { layOut } from './lay-out.ts';

/** A square of streets. */
const side = 12;
const steps = Array.from({ length: side * side }, (_, node) => [
  ...(node % side < side - 1 ? [[node, node + 1]] : []),
  ...(node < side * (side - 1) ? [[node, node + side]] : []),
]).flat();
const streets = createGraph({
  nodeCount: side * side,
  senders: steps.flatMap(([a, b]) => [a, b]),
  receivers: steps.flatMap(([a, b]) => [b, a]),
});
const laidOut = (seed: number, tell: (news: LayoutNews) => void = () => undefined) =>
  layOut(streets, { seed, tell, isWanted: () => true });

it('the same seed gives the same places, another seed others', async () => {
  const [first, again, other] = [await laidOut(1), await laidOut(1), await laidOut(2)];
  expect(again).toEqual(first);
  expect(other.positions.x).not.toEqual(first.positions.x);
});

it('linked nodes lie near each other, and a square comes out untangled', async () => {
  const { share, positions } = await laidOut(3);
  expect(share).toBe(1);
  const { x, y } = positions;
  const far = (a: number, b: number): number => Math.hypot(x[a] - x[b], y[a] - y[b]);
  const lengths = steps.map(([a, b]) => far(a, b));
  const mean = lengths.reduce((sum, each) => sum + each, 0) / lengths.length;
  expect(Math.max(...lengths)).toBeLessThan(2 * mean);
  // Corners that are across are farther apart than those at one side.
  const [a, b, c] = [0, side - 1, side * side - 1];
  expect(far(a, c)).toBeGreaterThan(1.1 * far(a, b));
  expect(far(a, b)).toBeGreaterThan(6 * mean);
});

it('it tells how far it is, and ends when nobody wants it any more', async () => {
  const told: number[] = [];
  await laidOut(1, ({ share }) => told.push(share));
  expect(told[0]).toBe(0);
  let asked = 0;
  await layOut(streets, { seed: 1, tell: () => (asked += 1), isWanted: () => asked === 0 });
  expect(asked).toBe(1);
});

it.for([1, 2, 3])('%i nodes without an edge between them have places, too', async (nodeCount) => {
  const graph = createGraph({ nodeCount, senders: [], receivers: [] });
  const { positions } = await layOut(graph, { seed: 1, tell: () => undefined, isWanted: () => true });
  expect([...positions.x, ...positions.y].every(Number.isFinite)).toBe(true);
});
