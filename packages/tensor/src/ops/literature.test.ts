/** Values worked out by hand from the definitions in the literature, not from this project's reference. */
import { describe, expect, it } from 'vitest';
import { rowIndex, segments } from '../core/row-index.ts';
import { tensor } from '../create/create.ts';
import { useReference } from '../testing/vitest/use-reference.ts';
import { grad, parameter } from './grad/grad.ts';
import { adamUpdate } from './adam/adam-update.op.ts';
import { crossEntropy } from './cross-entropy/cross-entropy.ts';
import { edgeDot } from './edge-dot/edge-dot.op.ts';
import { mul } from './elementwise/binary.op.ts';
import { gatherSum } from './gather/gather-sum.op.ts';
import { gather, scatterAdd } from './gather/gather.op.ts';
import { gruCell } from './gru-cell/gru-cell.op.ts';
import { matmul } from './matmul/matmul.op.ts';
import { sum } from './reduce/sum.op.ts';
import { segmentSoftmax } from './segment/segment-softmax.op.ts';
import { softmax } from './softmax/softmax.op.ts';
import { typedLinear } from './typed-linear/typed-linear.op.ts';

useReference({ precision: 'float64' });

function close(actual: ArrayLike<number>, expected: readonly number[]): void {
  expect(actual.length).toBe(expected.length);
  expected.forEach((value, i) => expect(actual[i]).toBeCloseTo(value, 12));
}

describe('matmul', () => {
  const a = [
    [1, 2, 3],
    [4, 5, 6],
  ];
  const b = [
    [7, 8],
    [9, 10],
    [11, 12],
  ];
  const product = [
    [58, 64],
    [139, 154],
  ];

  it('multiplies rows by columns', async () => {
    expect(await matmul(tensor(a), tensor(b)).toArray()).toEqual(product);
  });

  it('transposes either side', async () => {
    const aT = [
      [1, 4],
      [2, 5],
      [3, 6],
    ];
    const bT = [
      [7, 9, 11],
      [8, 10, 12],
    ];
    expect(await matmul(tensor(aT), tensor(b), { transposeA: true }).toArray()).toEqual(product);
    expect(await matmul(tensor(a), tensor(bT), { transposeB: true }).toArray()).toEqual(product);
    expect(await matmul(tensor(aT), tensor(bT), { transposeA: true, transposeB: true }).toArray()).toEqual(
      product,
    );
  });

  it('has the gradients dA = 1·Bᵀ and dB = Aᵀ·1 of its sum', async () => {
    const [x, y] = [tensor(a), tensor(b)];
    const [dx, dy] = grad(() => sum(matmul(x, y)), [x, y]);
    expect(await dx.toArray()).toEqual([
      [15, 19, 23],
      [15, 19, 23],
    ]);
    expect(await dy.toArray()).toEqual([
      [5, 5],
      [7, 7],
      [9, 9],
    ]);
  });
});

describe('softmax', () => {
  it('of log 1, log 2, log 5 is 1/8, 2/8, 5/8', async () => {
    close(await softmax(tensor([Math.log(1), Math.log(2), Math.log(5)])).data(), [1 / 8, 2 / 8, 5 / 8]);
  });

  it('has the Jacobian diag(y) − y·yᵀ', async () => {
    const x = tensor([Math.log(1), Math.log(3)]);
    const [dx] = grad(() => sum(mul(softmax(x), tensor([1, 0]))), [x]);
    // y = [1/4, 3/4]: ∂y₀/∂x = [1/4 − 1/16, −3/16]
    close(await dx.data(), [3 / 16, -3 / 16]);
  });

  it('over segments is a softmax of each, as in graph attention networks', async () => {
    const logits = tensor([Math.log(1), Math.log(3), 7, Math.log(2), Math.log(2)]);
    close(await segmentSoftmax(logits, segments([0, 0, 1, 3, 3], 4)).data(), [1 / 4, 3 / 4, 1, 1 / 2, 1 / 2]);
  });

  it('gives the cross-entropy −log p(label)', async () => {
    const logits = tensor([
      [Math.log(1), Math.log(2), Math.log(5)],
      [0, 0, 0],
    ]);
    close(await crossEntropy(logits, rowIndex([2, 0], 3)).data(), [Math.log(8 / 5), Math.log(3)]);
  });
});

describe('gather and scatter', () => {
  it('gather picks rows, its gradient adds them back', async () => {
    const x = tensor([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    const index = rowIndex([2, 0, 2], 3);
    expect(await gather(x, index).toArray()).toEqual([
      [5, 6],
      [1, 2],
      [5, 6],
    ]);
    const weights = tensor([
      [1, 10],
      [2, 20],
      [3, 30],
    ]);
    const [dx] = grad(() => sum(mul(gather(x, index), weights)), [x]);
    expect(await dx.toArray()).toEqual([
      [2, 20],
      [0, 0],
      [4, 40],
    ]);
  });

  it('scatterAdd adds rows that share an id', async () => {
    const x = tensor([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    expect(await scatterAdd(x, rowIndex([1, 0, 1], 3)).toArray()).toEqual([
      [3, 4],
      [6, 8],
      [0, 0],
    ]);
  });

  it('gatherSum is one step of message passing, A·x for an adjacency matrix A', async () => {
    // Edges 0→1, 0→2, 1→2: node 1 hears 0; node 2 hears 0 and 1.
    const x = tensor([
      [1, 10],
      [2, 20],
      [4, 40],
    ]);
    const heard = gatherSum(x, rowIndex([0, 0, 1], 3), rowIndex([1, 2, 2], 3));
    expect(await heard.toArray()).toEqual([
      [0, 0],
      [1, 10],
      [3, 30],
    ]);
  });
});

describe('typed edges', () => {
  it('typedLinear uses the weight of each row’s type', async () => {
    const weight = tensor([
      [[1], [1]],
      [[10], [100]],
    ]);
    const bias = tensor([[0.5], [0]]);
    const y = typedLinear(
      tensor([
        [1, 2],
        [3, 4],
      ]),
      weight,
      rowIndex([1, 0], 2),
      bias,
    );
    expect(await y.toArray()).toEqual([[210], [7.5]]);
  });

  it('edgeDot is w·[x_i : y_j : x_i ⊙ y_j] + b', async () => {
    // x_0 = [1, 2], y_1 = [3, 4]: [1, 2, 3, 4, 3, 8]·[1, 2, 3, 4, 5, 6] = 1+4+9+16+15+48 = 93, + 0.5
    const logits = edgeDot(
      tensor([[1, 2]]),
      tensor([
        [0, 0],
        [3, 4],
      ]),
      {
        senders: rowIndex([0], 1),
        receivers: rowIndex([1], 2),
        types: rowIndex([0], 1),
        weight: tensor([[1, 2, 3, 4, 5, 6]]),
        bias: tensor([0.5]),
      },
    );
    expect(await logits.toArray()).toEqual([93.5]);
  });
});

describe('gruCell', () => {
  it('follows its equations on a cell of one unit', async () => {
    // x = 1, h = 2. r = σ(1·0.1 + 2·0.2 + 0.3) = σ(0.8); z = σ(1·0.4 + 2·0.5 − 0.6) = σ(0.8).
    // c = tanh(1·0.7 + r·2·0.8 + 0.9); h' = z·2 + (1 − z)·c.
    const cell = gruCell(tensor([[1]]), tensor([[2]]), {
      gateWeight: tensor([
        [0.1, 0.4],
        [0.2, 0.5],
      ]),
      gateBias: tensor([0.3, -0.6]),
      candidateWeight: tensor([[0.7], [0.8]]),
      candidateBias: tensor([0.9]),
    });
    const gate = 0.68997448112761239; // σ(0.8)
    const candidate = Math.tanh(1.6 + 1.6 * gate);
    close(await cell.data(), [2 * gate + (1 - gate) * candidate]);
  });

  it('keeps its state where the update gate is open, and forgets it where both gates are shut', async () => {
    const weights = (gateBias: number[]) => ({
      gateWeight: tensor([
        [0, 0],
        [0, 0],
      ]),
      gateBias: tensor(gateBias),
      candidateWeight: tensor([[1], [1]]),
      candidateBias: tensor([0]),
    });
    close(await gruCell(tensor([[0.3]]), tensor([[2]]), weights([0, 50])).data(), [2]);
    close(await gruCell(tensor([[0.3]]), tensor([[2]]), weights([-50, -50])).data(), [Math.tanh(0.3)]);
  });
});

describe('adamUpdate', () => {
  it('moves by the learning rate against the sign of the gradient in its first step', async () => {
    const p = parameter(tensor([1, 1, 1]));
    const moments = { first: parameter(tensor([0, 0, 0])), second: parameter(tensor([0, 0, 0])) };
    adamUpdate(p, tensor([4, -0.5, 0]), moments, { step: 1, learningRate: 0.1, epsilon: 0 + 1e-300 });
    close(await p.data(), [0.9, 1.1, 1]);
    close(await moments.first.data(), [0.4, -0.05, 0]);
    close(await moments.second.data(), [0.016, 0.00025, 0]);
  });
});
