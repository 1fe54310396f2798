import { rowIndex } from '../../core/row-index.ts';
import { large, random, randomIds } from '../../testing/op-case.ts';
import type { OpCase, OpCases } from '../../testing/op-case.ts';
import { edgeDotRowsGrad, edgeDotWeightGrad } from './edge-dot-grad.op.ts';
import { edgeDot } from './edge-dot.op.ts';
import type { EdgeIndices } from './edge-dot.op.ts';

interface Edges {
  readonly name: string;
  readonly senders: readonly number[];
  readonly receivers: readonly number[];
  readonly types: readonly number[];
  readonly n: number;
  readonly m: number;
  readonly kinds: number;
  readonly d: number;
}

const sets: readonly Edges[] = [
  {
    name: 'four edges',
    senders: [0, 2, 1, 0],
    receivers: [1, 0, 1, 1],
    types: [1, 0, 1, 0],
    n: 3,
    m: 2,
    kinds: 2,
    d: 3,
  },
  { name: 'one edge', senders: [1], receivers: [0], types: [0], n: 2, m: 1, kinds: 2, d: 1 },
  { name: 'no edges', senders: [], receivers: [], types: [], n: 2, m: 2, kinds: 2, d: 2 },
  ...[4, 5, 8].map((d) => ({
    name: `rows of ${d}`,
    senders: [1, 1, 0],
    receivers: [0, 1, 1],
    types: [1, 1, 0],
    n: 2,
    m: 2,
    kinds: 2,
    d,
  })),
  {
    name: 'edges in several slices and more than one workgroup of odd rows',
    senders: randomIds(901, 13),
    receivers: randomIds(901, 17),
    types: randomIds(901, 2),
    n: 13,
    m: 17,
    kinds: 2,
    d: 13,
  },
  {
    name: 'many edges',
    senders: randomIds(3001, 97),
    receivers: randomIds(3001, 97),
    types: randomIds(3001, 9),
    n: 97,
    m: 97,
    kinds: 9,
    d: 40,
  },
  {
    name: 'a node with ten thousand edges',
    senders: new Array<number>(10_000).fill(1),
    receivers: randomIds(10_000, 31),
    types: randomIds(10_000, 3),
    n: 3,
    m: 31,
    kinds: 3,
    d: 7,
  },
];

const indexed = ({ senders, receivers, types, n, m, kinds }: Edges): EdgeIndices => ({
  senders: rowIndex(senders, n),
  receivers: rowIndex(receivers, m),
  types: rowIndex(types, kinds),
});

const gradientless = ({ senders }: Edges): { noGradient?: string } =>
  senders.length > 50 ? { noGradient: large } : {};

const forward = (edges: Edges): OpCase => {
  const { name, n, m, kinds, d } = edges;
  return {
    name,
    inputs: [random([n, d]), random([m, d]), random([kinds, 3 * d]), random([kinds])],
    run: ([x, y, weight, bias]) => edgeDot(x, y, { ...indexed(edges), weight, bias }),
    ...gradientless(edges),
  };
};

const rows = (edges: Edges, side: 'senders' | 'receivers'): OpCase => {
  const { name, n, m, kinds, d, senders } = edges;
  return {
    name: `${name}, for ${side}`,
    inputs: [random([senders.length]), random([side === 'senders' ? m : n, d]), random([kinds, 3 * d])],
    run: ([g, other, weight]) => edgeDotRowsGrad(g, other, weight, { ...indexed(edges), side }),
  };
};

const weights = (edges: Edges): OpCase => {
  const { name, n, m, d, senders } = edges;
  return {
    name,
    inputs: [random([senders.length]), random([n, d]), random([m, d])],
    run: ([g, x, y]) => edgeDotWeightGrad(g, x, y, indexed(edges)),
  };
};

export const edgeDotCases = {
  edgeDot: {
    tolerance: { absolute: 3e-4, relative: 2e-5 },
    noSecondOrder: 'fused: its backward kernels have no gradient',
    cases: sets.map(forward),
  },
  edgeDotRowsGrad: {
    tolerance: { absolute: 3e-4, relative: 2e-5 },
    cases: sets.flatMap((edges) => [rows(edges, 'senders'), rows(edges, 'receivers')]),
  },
  edgeDotWeightGrad: { tolerance: { absolute: 3e-4, relative: 2e-5 }, cases: sets.map(weights) },
} satisfies Record<string, OpCases>;
