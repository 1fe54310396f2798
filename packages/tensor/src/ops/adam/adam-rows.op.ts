/** adamRows: steps of Adam on some rows of a parameter, those included in which nothing read them. */
import type { DType, TensorSpec } from '../../core/dtype.ts';
import { rejectUnknownOptions, TensorError } from '../../core/errors.ts';
import { expectDType, expectShape } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import type { RowIndex } from '../../core/row-index.ts';
import { sizeOf } from '../../core/shape.ts';
import type { Shape } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';
import type { AdamAttrs } from './adam-update.op.ts';
import { expectParameters } from './expect-parameters.ts';

/** What is the same at every step. */
export interface AdamRowsAttrs extends Pick<AdamAttrs, 'beta1' | 'beta2' | 'epsilon'> {
  /** λ of g = λp + …: 0 for none. */
  readonly decay: number;
}

/**
 * Row k stands for row r = index[k] of p, which takes the last missed[k] of the steps s in `rates` [steps, 3], and there
 *
 *   p ← kept_s·p,   g' = λp, and at the very last step + g,
 *   m ← β₁m + (1−β₁)g',   v ← β₂v + (1−β₂)g'²,   p ← p − rate_s·m / (√(v·correction_s) + ε)
 *
 * with rates[s] = (rate, correction, kept) = (η / (1−β₁ˢ), 1 / (1−β₂ˢ), 1, or what AdamW leaves of p). No row occurs twice.
 */
export const adamRowsOp = defineOp({
  name: 'adamRows',
  operands: {
    p: 'tensor',
    m: 'tensor',
    v: 'tensor',
    g: 'tensor?',
    index: 'rows',
    missed: 'tensor',
    rates: 'tensor',
  },
  outputs: {},
  infer: ({ p, g, m, v, index, missed, rates }, _attrs: AdamRowsAttrs) => {
    const { length } = index;
    const expect = (name: string, tensor: TensorSpec, shape: Shape, dtype: DType = 'float32'): void => {
      expectDType('adamRows', name, tensor, dtype);
      expectShape('adamRows', name, tensor, shape);
    };
    expect('firstMoment', m, p.shape);
    expect('secondMoment', v, p.shape);
    if (g) expect('gradient', g, p.shape.with(0, length));
    expect('missed', missed, [length], 'int32');
    expect('rates', rates, [rates.shape[0], 3]);
    return {};
  },
  mutates: ['p', 'm', 'v'],
  reference: 'beside',
});

export const adamRowsReference: ReferenceOf<typeof adamRowsOp> = (
  { p, g, m, v, index, missed, rates },
  _outputs,
  { beta1, beta2, epsilon, decay },
) => {
  const width = sizeOf(p.shape.slice(1));
  const steps = rates.shape[0];
  for (let k = 0; k < index.length; k++) {
    for (let s = steps - missed.data[k]; s < steps; s++) {
      const [rate, correction, kept] = rates.data.subarray(3 * s);
      for (let c = 0; c < width; c++) {
        const i = index.ids.data[k] * width + c;
        p.data[i] *= kept;
        const gradient = decay * p.data[i] + (g && s === steps - 1 ? g.data[k * width + c] : 0);
        m.data[i] = beta1 * m.data[i] + (1 - beta1) * gradient;
        v.data[i] = beta2 * v.data[i] + (1 - beta2) * gradient * gradient;
        p.data[i] -= (rate * m.data[i]) / (Math.sqrt(v.data[i] * correction) + epsilon);
      }
    }
  }
};

/**
 * Overwrites some rows of a parameter and of its moments as `adamUpdate` would have at each of the steps they missed; the
 * other rows are not touched. `gradient` is that of these rows at the last step.
 *
 * @example
 * const w = parameter(tensor([[1], [1]]));
 * const moments = { first: parameter(zeros([2, 1])), second: parameter(zeros([2, 1])) };
 * const rows = { index: rowIndex([1], 2), missed: tensor([1], { dtype: 'int32' }), gradient: tensor([[2]]) };
 * const rates = tensor([[0.1 / (1 - 0.9), 1 / (1 - 0.999), 1]]);
 * adamRows(w, moments, rows, { rates });
 * w; // [[1], [0.9]]
 */
export function adamRows(
  parameter: Tensor,
  moments: { readonly first: Tensor; readonly second: Tensor },
  rows: { readonly index: RowIndex; readonly missed: Tensor; readonly gradient?: Tensor | undefined },
  { rates, ...options }: Partial<AdamRowsAttrs> & { readonly rates: Tensor },
): void {
  const attrs = { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, decay: 0, ...options };
  rejectUnknownOptions('adamRows', attrs, ['beta1', 'beta2', 'epsilon', 'decay']);
  expectParameters('adamRows', parameter, moments);
  const { index, missed, gradient } = rows;
  expectDistinct('adamRows', index);
  const { first, second } = moments;
  adamRowsOp.apply({ p: parameter, m: first, v: second, g: gradient, index, missed, rates }, attrs);
}

function expectDistinct(op: string, index: RowIndex): void {
  const seen = new Set<number>();
  for (const id of index.toArray()) {
    if (seen.has(id)) throw new TensorError(op, 'index', `expected every row once, got ${id} twice`);
    seen.add(id);
  }
}
