/** The layers that graph networks are known for, each as its equation and the lines that compute it. */
import {
  add,
  concat,
  leakyRelu,
  linear,
  matmul,
  mul,
  parameter,
  relu,
  reshape,
  sum,
  tensor,
  valueAndGrad,
} from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { degreeWeights } from '../degrees.ts';
import { createGraph } from '../graph.ts';
import type { Graph } from '../graph.ts';
import { edgeLists } from '../random-graphs.cases.ts';
import { softmaxIn, typed } from './edge-expression.ts';
import { edgesOf } from './edges-of.ts';
import { meanIn, sumIn } from './reductions.ts';

useReference({ precision: 'float64' });

type Values<T> = Readonly<Record<string, T>>;
const [d, out, heads, types] = [3, 2, 2, 3];

/** GCN (Kipf and Welling, 2017):   h'_j = Σ_i c_ij h_i W + b,   c_ij = 1 / √(out_i · in_j) */
function gcn(graph: Graph, { h, w, b }: Values<Tensor>): Tensor {
  const { sender, edge } = edgesOf(graph);
  const c = tensor(degreeWeights(graph, { by: 'symmetric' }));
  return linear(sumIn(sender(h).times(edge(c))), w, b);
}

/** GraphSAGE (Hamilton et al., 2017):   h'_j = [h_j : mean_i h_i] W + b */
function sage(graph: Graph, { h, w, b }: Values<Tensor>): Tensor {
  const { sender } = edgesOf(graph);
  return linear(concat([h, meanIn(sender(h))], 1), w, b);
}

/** GIN (Xu et al., 2019):   h'_j = MLP((1 + ε) h_j + Σ_i h_i) */
function gin(graph: Graph, { h, epsilon, w, b, v, c }: Values<Tensor>): Tensor {
  const { sender } = edgesOf(graph);
  const x = add(mul(h, add(epsilon, 1)), sumIn(sender(h)));
  return linear(relu(linear(x, w, b)), v, c);
}

/** R-GCN (Schlichtkrull et al., 2018):   h'_j = h_j W₀ + b + Σ_i h_i W_r / |N_r(j)|,   r the type of the edge from i to j */
function rgcn(graph: Graph, { h, own, b, w }: Values<Tensor>): Tensor {
  const { sender, edge } = edgesOf(graph);
  const c = tensor(degreeWeights(graph, { by: 'typedMean' }));
  return add(linear(h, own, b), sumIn(typed({ w }, sender(h)).times(edge(c))));
}

/** GAT (Veličković et al., 2018), per head:   z = h W,   h'_j = Σ_i α_ij z_i,   α_ij = softmax_i(leakyRelu(p·z_i + q·z_j)) */
function gat(graph: Graph, { h, w, p, q }: Values<Tensor>): Tensor {
  const { sender, receiver } = edgesOf(graph);
  const z = reshape(matmul(h, w), [graph.nodeCount, heads, out]);
  const score = (by: Tensor): Tensor => sum(mul(z, by), 2);
  const logits = sender(score(p)).plus(receiver(score(q)));
  const alpha = softmaxIn(logits.map((x) => leakyRelu(x, 0.2)));
  return reshape(sumIn(alpha.times(sender(z))), [graph.nodeCount, heads * out]);
}

/** The same in loops over numbers. A matrix is a list of its rows. */
type Matrix = readonly (readonly number[])[];
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const total = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const times = (x: Matrix, w: Matrix): number[][] =>
  x.map((row) => w[0].map((_, o) => total(row.map((value, i) => value * w[i][o]))));
const plus = (x: Matrix, y: Matrix): number[][] =>
  x.map((row, i) => row.map((value, c) => value + y[i % y.length][c]));
const incoming = ({ receivers, edgeCount }: Graph, j: number): number[] =>
  range(edgeCount).filter((e) => receivers[e] === j);
/** Σ over the edges into each node of `message`, a row. */
const sumOver = (
  graph: Graph,
  width: number,
  message: (e: number, j: number) => readonly number[],
): number[][] =>
  range(graph.nodeCount).map((j) =>
    incoming(graph, j).reduce(
      (all, e) => all.map((value, c) => value + message(e, j)[c]),
      new Array<number>(width).fill(0),
    ),
  );

const plain: Record<string, (graph: Graph, values: Values<Matrix>) => number[][]> = {
  gcn: (graph, { h, w, b }) => {
    const { senders } = graph;
    const outgoing = (i: number): number => senders.filter((sender) => sender === i).length;
    const message = (e: number, j: number): number[] => {
      const i = senders[e];
      // Weights of edges are float32 in both.
      const c = Math.fround(1 / Math.sqrt(outgoing(i) * incoming(graph, j).length));
      return h[i].map((value) => c * value);
    };
    return plus(times(sumOver(graph, d, message), w), b);
  },
  sage: (graph, { h, w, b }) => {
    const sums = sumOver(graph, d, (e) => h[graph.senders[e]]);
    const joined = sums.map((row, j) => {
      const count = Math.max(1, incoming(graph, j).length);
      return [...h[j], ...row.map((value) => value / count)];
    });
    return plus(times(joined, w), b);
  },
  gin: (graph, { h, epsilon, w, b, v, c }) => {
    const sums = sumOver(graph, d, (e) => h[graph.senders[e]]);
    const x = sums.map((row, j) => row.map((value, k) => (1 + epsilon[0][0]) * h[j][k] + value));
    const hidden = plus(times(x, w), b).map((row) => row.map((value) => Math.max(0, value)));
    return plus(times(hidden, v), c);
  },
  rgcn: (graph, { h, own, b, w }) => {
    const { senders, edgeTypes } = graph;
    const message = (e: number, j: number): number[] => {
      const alike = incoming(graph, j).filter((other) => edgeTypes[other] === edgeTypes[e]).length;
      const kernel = w.slice(edgeTypes[e] * d, (edgeTypes[e] + 1) * d);
      return times([h[senders[e]]], kernel)[0].map((value) => Math.fround(1 / alike) * value);
    };
    return plus(plus(times(h, own), b), sumOver(graph, out, message));
  },
  gat: (graph, { h, w, p, q }) => {
    const z = times(h, w);
    const scoreOf = (by: Matrix, node: number, head: number): number =>
      total(by[head].map((value, c) => value * z[node][head * out + c]));
    const weight = (e: number, head: number): number => {
      const x = scoreOf(p, graph.senders[e], head) + scoreOf(q, graph.receivers[e], head);
      return Math.exp(x > 0 ? x : 0.2 * x);
    };
    return sumOver(graph, heads * out, (e, j) =>
      z[graph.senders[e]].map((value, c) => {
        const head = Math.floor(c / out);
        return (value * weight(e, head)) / total(incoming(graph, j).map((other) => weight(other, head)));
      }),
    );
  },
};

const layers = {
  gcn: { layer: gcn, shapes: { w: [d, out], b: [out] } },
  sage: { layer: sage, shapes: { w: [2 * d, out], b: [out] } },
  gin: { layer: gin, shapes: { epsilon: [1], w: [d, 4], b: [4], v: [4, out], c: [out] } },
  rgcn: { layer: rgcn, shapes: { own: [d, out], b: [out], w: [types, d, out] } },
  gat: { layer: gat, shapes: { w: [d, heads * out], p: [heads, out], q: [heads, out] } },
};

/** Rows of the last axis. */
const matrixOf = (values: ArrayLike<number>, width: number): number[][] =>
  range(values.length / width).map((row) => range(width).map((c) => values[row * width + c]));

describe.each(Object.entries(layers))('%s', (name, { layer, shapes }) => {
  it('is its plain loops on random graphs, and so are its gradients', async () => {
    const property = fc.asyncProperty(edgeLists, fc.nat(1000), async (input, seed) => {
      const graph = createGraph(input);
      const given = Object.entries<number[]>({ h: [graph.nodeCount, d], ...shapes }).map(
        ([key, shape], which) => {
          const size = shape.reduce((product, extent) => product * extent, 1);
          const data = range(size).map((i) => Math.fround(Math.sin(2.3 * i + which + seed)));
          return { key, shape, data, tensor: parameter(tensor(data, { shape })) };
        },
      );
      const tensors = Object.fromEntries(given.map((each) => [each.key, each.tensor]));
      const expected = (): number[] =>
        plain[name](
          graph,
          Object.fromEntries(given.map(({ key, data, shape }) => [key, matrixOf(data, shape.at(-1)!)])),
        ).flat();
      const result = layer(graph, tensors);
      const actual = await result.data();
      expect(actual.length).toBe(expected().length);
      expected().forEach((value, i) => expect(actual[i]).toBeCloseTo(value, 9));

      // The gradient of Σ cos(i)·out_i against central differences of the loops, at three places of each tensor.
      const weights = tensor(
        range(result.size).map((i) => Math.fround(Math.cos(i))),
        { shape: result.shape },
      );
      const { grads } = valueAndGrad(
        () => sum(mul(layer(graph, tensors), weights)),
        given.map((each) => each.tensor),
      );
      const objective = (): number => total(expected().map((value, i) => value * Math.fround(Math.cos(i))));
      for (const { tensor: of, data } of given) {
        const gradient = await grads.get(of)!.data();
        for (const i of new Set([0, data.length >> 1, data.length - 1])) {
          const before = data[i];
          const at = (shift: number): number => {
            data[i] = before + shift;
            return objective();
          };
          const slope = (at(1e-6) - at(-1e-6)) / 2e-6;
          data[i] = before;
          expect(Math.abs(gradient[i] - slope)).toBeLessThan(1e-6 * (1 + Math.abs(slope)));
        }
      }
    });
    await fc.assert(property, { numRuns: 40 });
  });
});
