/** Degrees of nodes, and the edge weights that even them out. */
import { rejectUnknownOptions } from '@flowgrad/tensor';
import type { Graph } from './graph.ts';
import { typedIds } from './plan/typed-ids.ts';

/** What `degreeWeights` takes. */
export interface DegreeWeightsOptions {
  /**
   * With w_e = 1 or as given, out_i the sum over the edges that leave i and in_j over those that come to j, edge e from i
   * to j weighs
   *
   * - 'symmetric': w_e / √(out_i · in_j), D^−½ A D^−½, as GCN has it (Kipf and Welling, 2017), self-loops added first;
   * - 'randomWalk': w_e / out_i, the probability of the edge in a random walk; what leaves a node sums to 1;
   * - 'mean': w_e / in_j; what comes to a node sums to 1;
   * - 'typedMean': w_e / in_j, where in_j counts edges of the same type only, as R-GCN has it (Schlichtkrull et al., 2018).
   */
  readonly by: 'symmetric' | 'randomWalk' | 'mean' | 'typedMean';
  /** [edges] each ≥ 0: 1 for all unless given. */
  readonly weights?: ArrayLike<number>;
}

const where = 'degreeWeights';

/** [nodes] how many edges come to each node: in_j = |{e : receivers[e] = j}|. */
export function inDegrees(graph: Graph): Int32Array {
  return runLengths(graph.byReceiver.offsets);
}

/** [nodes] how many edges leave each node: out_i = |{e : senders[e] = i}|. */
export function outDegrees(graph: Graph): Int32Array {
  return runLengths(graph.bySender.offsets);
}

/** [edges] a weight for each edge by the degrees of its ends, in the order of the graph's edges; 0 for an edge that weighs 0. */
export function degreeWeights(graph: Graph, options: DegreeWeightsOptions): Float32Array {
  rejectUnknownOptions(where, options, ['by', 'weights']);
  const { senders, receivers, edgeTypes, nodeCount, edgeCount, edgeTypeCount } = graph;
  const weights = readWeights(options.weights, edgeCount);
  const scale = scaleBy(options.by);
  const arrivals = options.by === 'typedMean' ? typedIds(receivers, edgeTypes, edgeTypeCount) : receivers;
  const out = new Float64Array(nodeCount);
  const into = new Float64Array(arrivals === receivers ? nodeCount : nodeCount * edgeTypeCount);
  for (let edge = 0; edge < edgeCount; edge++) {
    out[senders[edge]] += weights[edge];
    into[arrivals[edge]] += weights[edge];
  }
  return Float32Array.from(weights, (weight, edge) =>
    weight === 0 ? 0 : weight / scale(out[senders[edge]], into[arrivals[edge]]),
  );
}

function scaleBy(by: DegreeWeightsOptions['by']): (out: number, into: number) => number {
  switch (by) {
    case 'symmetric':
      return (out, into) => Math.sqrt(out * into);
    case 'randomWalk':
      return (out) => out;
    case 'mean':
    case 'typedMean':
      return (_out, into) => into;
    default:
      throw new TypeError(
        `${where}: expected by among symmetric, randomWalk, mean, typedMean, got '${String(by satisfies never)}'`,
      );
  }
}

function readWeights(weights: ArrayLike<number> | undefined, edgeCount: number): Float64Array {
  if (!weights) return new Float64Array(edgeCount).fill(1);
  if (weights.length !== edgeCount) {
    throw new RangeError(
      `${where}: expected weights of length ${edgeCount} (edgeCount), got ${weights.length}`,
    );
  }
  return Float64Array.from(weights, (weight, edge) => {
    if (Number.isFinite(weight) && weight >= 0) return weight;
    throw new RangeError(`${where}: expected weights[${edge}] to be a finite number ≥ 0, got ${weight}`);
  });
}

function runLengths(offsets: Int32Array): Int32Array {
  return Int32Array.from({ length: offsets.length - 1 }, (_, node) => offsets[node + 1] - offsets[node]);
}
