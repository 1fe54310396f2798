import {
  div,
  gather,
  maximum,
  mul,
  ones,
  parameter,
  rejectUnknownOptions,
  reshape,
  scatterAdd,
  scope,
  square,
  sub,
  sum,
  TensorError,
} from '@flowgrad/tensor';
import type { RowIndex, Tensor } from '@flowgrad/tensor';
import { expectRows, scaleAndShift, startNorm } from './normalisation.ts';
import type { NormOptions, NormParameters } from './normalisation.ts';

/** Parameters `gain`, `shift` and `centring`, each [d]. */
export interface GraphNorm extends NormParameters {
  /** α [d], from 1 on: how much of the graph's mean is taken off. */
  readonly centring: Tensor;
  /**
   * x [n, d] and the graph of each row → [n, d]; alike in training and evaluation. Without `graphs`, all rows are of
   * one graph.
   */
  apply(this: void, x: Tensor, graphs?: RowIndex): Tensor;
}

/**
 * Graph normalisation (Cai et al., 2021): nodes by the mean and variance of their graph, of whose mean as much is taken
 * off as α says, since a mean may tell graphs apart. Over the nodes i of a graph, n of them:
 *
 *   y = gain ⊙ (x − α⊙μ) / √(σ² + ε) + shift,   μ = Σ_i x_i / n,   σ² = Σ_i (x_i − α⊙μ)² / n
 */
export function createGraphNorm(options: NormOptions): GraphNorm {
  const where = 'createGraphNorm';
  rejectUnknownOptions(where, options, ['d', 'epsilon']);
  return scope(() => {
    const start = startNorm(where, options);
    const { gain, shift } = start;
    const centring = parameter(ones([options.d]));
    const apply = (x: Tensor, graphs?: RowIndex): Tensor => {
      expectRows('graphNorm', x, options.d, 2);
      if (graphs) expectGraphOfEachRow(x, graphs);
      return scope(() => {
        const centred = sub(x, mul(centring, meanOfGraph(x, graphs)));
        return scaleAndShift(centred, meanOfGraph(square(centred), graphs), start);
      }, 'graphNorm');
    };
    return { gain, shift, centring, apply };
  }, where);
}

function expectGraphOfEachRow(x: Tensor, graphs: RowIndex): void {
  if (graphs.length === x.shape[0]) return;
  throw new TensorError(
    'graphNorm',
    'shape',
    `graphs must have the graph of each row, ${x.shape[0]} of them, got ${graphs.length}`,
  );
}

/** For each row, the mean of the rows of its graph. */
function meanOfGraph(x: Tensor, graphs: RowIndex | undefined): Tensor {
  if (!graphs) return div(sum(x, 0, { keepDims: true }), Math.max(x.shape[0], 1));
  const nodesOfGraph = reshape(maximum(graphs.counts, 1), [graphs.rows, 1]);
  return gather(div(scatterAdd(x, graphs), nodesOfGraph), graphs);
}
