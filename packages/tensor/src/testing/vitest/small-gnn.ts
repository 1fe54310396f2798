/** A graph network small enough to train in a test, with every kind of op that a real one has. */
import { parameter, valueAndGrad } from '../../ops/grad/grad.ts';
import type { DataArray } from '../../core/dtype.ts';
import { rowIndex, segments } from '../../core/row-index.ts';
import type { RowIndex } from '../../core/row-index.ts';
import { scope } from '../../core/scope.ts';
import type { Tensor } from '../../core/tensor.ts';
import { tensor } from '../../create/create.ts';
import { adamUpdate } from '../../ops/adam/adam-update.op.ts';
import { crossEntropy } from '../../ops/cross-entropy/cross-entropy.ts';
import { edgeDot } from '../../ops/edge-dot/edge-dot.op.ts';
import { mul } from '../../ops/elementwise/binary.op.ts';
import { gather } from '../../ops/gather/gather.op.ts';
import { gruCell } from '../../ops/gru-cell/gru-cell.op.ts';
import { matmul } from '../../ops/matmul/matmul.op.ts';
import { mean } from '../../ops/reduce/sum.op.ts';
import { segmentSoftmax } from '../../ops/segment/segment-softmax.op.ts';
import { segmentSum } from '../../ops/segment/segment-sum.op.ts';
import { reshape } from '../../ops/shape/reshape.op.ts';
import { typedLinear } from '../../ops/typed-linear/typed-linear.op.ts';
import { random, randomIds, sortedIds } from '../op-case.ts';

const [nodes, edges, types, classes, d] = [61, 307, 3, 5, 12];
const steps = 2;

const graph = {
  senders: randomIds(edges, nodes),
  receivers: sortedIds(edges, nodes),
  types: randomIds(edges, types),
  labels: randomIds(nodes, classes),
};

/** Shapes of the weights, by name. */
const shapes = {
  embedding: [nodes, d],
  message: [types, d, d],
  transition: [types, 3 * d],
  transitionBias: [types],
  gateWeight: [2 * d, 2 * d],
  gateBias: [2 * d],
  candidateWeight: [2 * d, d],
  candidateBias: [d],
  output: [d, classes],
};
type Name = keyof typeof shapes;
const names = Object.keys(shapes) as Name[];

/** Weights and their two moments on the host: all that is needed to go on. */
export type GnnState = Readonly<
  Record<Name, readonly [weight: DataArray, first: DataArray, second: DataArray]>
>;

const initial = Object.fromEntries(
  names.map((name) => {
    const weight = random(shapes[name], -0.5, 0.5).data;
    return [name, [weight, new Float32Array(weight.length), new Float32Array(weight.length)]];
  }),
) as unknown as GnnState;

type Weights = Readonly<Record<Name, Tensor>>;
type Indices = Readonly<Record<'senders' | 'receivers' | 'types' | 'labels', RowIndex>>;

function loss(weights: Weights, index: Indices): Tensor {
  let h = weights.embedding;
  for (let step = 0; step < steps; step++) {
    const { senders, receivers, types: edgeTypes } = index;
    const logits = edgeDot(h, h, {
      senders,
      receivers,
      types: edgeTypes,
      weight: weights.transition,
      bias: weights.transitionBias,
    });
    const attention = reshape(segmentSoftmax(logits, receivers), [edges, 1]);
    const messages = typedLinear(gather(h, senders), weights.message, edgeTypes);
    const { gateWeight, gateBias, candidateWeight, candidateBias } = weights;
    const update = { gateWeight, gateBias, candidateWeight, candidateBias };
    h = gruCell(segmentSum(mul(messages, attention), receivers), h, update);
  }
  return mean(crossEntropy(matmul(h, weights.output), index.labels));
}

/** Trains on the current backend from update `from` to `to` and reads only at the end: the losses and the state. */
export async function trainSmallGnn(
  from: number,
  to: number,
  start: GnnState = initial,
): Promise<{ readonly losses: number[]; readonly state: GnnState }> {
  return scope(async () => {
    const index: Indices = {
      senders: rowIndex(graph.senders, nodes),
      receivers: segments(graph.receivers, nodes),
      types: rowIndex(graph.types, types),
      labels: rowIndex(graph.labels, classes),
    };
    const upload = (name: Name, which: 0 | 1 | 2): Tensor =>
      parameter(tensor(start[name][which], { shape: shapes[name] }));
    const all = (which: 0 | 1 | 2): Weights =>
      Object.fromEntries(names.map((name) => [name, upload(name, which)])) as unknown as Weights;
    const [weights, first, second] = [all(0), all(1), all(2)];
    const losses: Tensor[] = [];
    for (let step = from; step < to; step++) {
      const value = scope(() => {
        const { value, grads } = valueAndGrad(() => loss(weights, index));
        for (const name of names) {
          const moments = { first: first[name], second: second[name] };
          adamUpdate(weights[name], grads.get(weights[name])!, moments, { step, learningRate: 0.02 });
        }
        return value;
      });
      losses.push(value);
    }
    const state = await Promise.all(
      names.map(async (name) => {
        const tensors = [weights[name], first[name], second[name]];
        return [name, await Promise.all(tensors.map((x) => x.data()))];
      }),
    );
    return {
      losses: await Promise.all(losses.map((value) => value.item())),
      state: Object.fromEntries(state) as unknown as GnnState,
    };
  });
}
