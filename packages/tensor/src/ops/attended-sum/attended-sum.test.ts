import { describe, expect, it } from 'vitest';
import { grad } from '../grad/grad.ts';
import { rowIndex } from '../../core/row-index.ts';
import type { Tensor } from '../../core/tensor.ts';
import { ones, tensor } from '../../create/create.ts';
import { relativeError } from '../../testing/compare.ts';
import { useReference } from '../../testing/vitest/use-reference.ts';
import { add, mul } from '../elementwise/binary.op.ts';
import { tanh } from '../elementwise/unary.op.ts';
import { gather, scatterAdd } from '../gather/gather.op.ts';
import { sum } from '../reduce/sum.op.ts';
import { reshape } from '../shape/reshape.op.ts';
import { attendedSizes, attendedSumCases } from './attended-sum.cases.ts';
import type { AttendedSize } from './attended-sum.cases.ts';

useReference({ precision: 'float64' });

/** What attendedSum is short for. */
function composed(size: AttendedSize, inputs: readonly Tensor[]): Tensor {
  const [values, weights, bias, unattended] = inputs;
  const { from, into, rows, width, heads = 1, counted } = size;
  const messages = reshape(gather(values, rowIndex(from, rows[0])), [from.length, heads, width]);
  const acted = tanh(add(mul(messages, reshape(weights, [from.length, heads, 1])), bias));
  const total = scatterAdd(reshape(acted, [from.length, heads * width]), rowIndex(into, rows[1]));
  if (!counted) return total;
  const silent = mul(tanh(bias), ones([heads, width]));
  return add(total, mul(unattended, reshape(silent, [1, heads * width])));
}

describe('attendedSum', () => {
  it.for(attendedSizes.map((size, i) => [size.name, i] as const))(
    'is gather, product, bias, tanh and scatterAdd, on %s',
    async ([, i]) => {
      const test = attendedSumCases.attendedSum.cases[i];
      const fusedSum = (): Tensor => test.run(given) as Tensor;
      const given = test.inputs.map(({ data, shape }) => tensor(data, { shape }));
      const gradients = (made: () => Tensor): Promise<ArrayLike<number>[]> =>
        Promise.all(grad(() => sum(mul(made(), made())), given).map((x) => x.data()));
      const [fused, plain] = [fusedSum(), composed(attendedSizes[i], given)];
      expect(relativeError(await fused.data(), await plain.data())).toBeLessThan(1e-12);
      const expected = await gradients(() => composed(attendedSizes[i], given));
      const actual = await gradients(fusedSum);
      for (const [k, gradient] of actual.entries()) {
        expect(relativeError(gradient, expected[k]), `input ${k}`).toBeLessThan(1e-12);
      }
    },
  );
});
