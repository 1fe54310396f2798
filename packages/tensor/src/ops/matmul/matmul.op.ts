/** matmul: products of matrices, batched, with either side transposed. */
import { rejectUnknownOptions, showShape, TensorError } from '../../core/errors.ts';
import { expectDType, expectRankAtLeast } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import { broadcastShapes } from '../../core/shape.ts';
import type { Shape } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';
import { sumTo } from '../reduce/sum.op.ts';
import { matmulLoops } from './matmul.reference.ts';

/** Which operands of a product are transposed. */
export interface MatmulAttrs {
  /** a is stored [.., k, n] instead of [.., n, k]. */
  readonly transposeA: boolean;
  /** b is stored [.., m, k] instead of [.., k, m]. */
  readonly transposeB: boolean;
}

/** Rows and columns of the matrices of a stack, as they are multiplied. */
function matrixExtents(shape: Shape, transposed: boolean): [rows: number, columns: number] {
  const rows = shape[shape.length - 2];
  const columns = shape[shape.length - 1];
  return transposed ? [columns, rows] : [rows, columns];
}

/** y = A·B;   dA = dout·Bᵀ,  dB = Aᵀ·dout, each in the form its operand is stored in */
export const matmulOp = defineOp({
  name: 'matmul',
  operands: { a: 'tensor', b: 'tensor' },
  outputs: { y: 'tensor' },
  infer: ({ a, b }, { transposeA, transposeB }: MatmulAttrs) => {
    expectDType('matmul', 'a', a, 'float32');
    expectDType('matmul', 'b', b, 'float32');
    expectRankAtLeast('matmul', 'a', a, 2);
    expectRankAtLeast('matmul', 'b', b, 2);
    const [n, ka] = matrixExtents(a.shape, transposeA);
    const [kb, m] = matrixExtents(b.shape, transposeB);
    if (ka !== kb) {
      const mark = (transposed: boolean): string => (transposed ? 'ᵀ' : '');
      throw new TensorError(
        'matmul',
        'shape',
        `expected inner extents that agree, got ${showShape(a.shape)}${mark(transposeA)} and ` +
          `${showShape(b.shape)}${mark(transposeB)} (${ka} against ${kb})`,
      );
    }
    if (a.shape.length === 2 && b.shape.length === 2) return { y: { dtype: 'float32', shape: [n, m] } };
    const batch = broadcastShapes('matmul', a.shape.slice(0, -2), b.shape.slice(0, -2));
    return { y: { dtype: 'float32', shape: [...batch, n, m] } };
  },
  reference: 'beside',
  saves: ['a', 'b'],
  backward: ({ a, b }, { dout: { y: dout }, attrs: { transposeA, transposeB } }) => ({
    a: () =>
      sumTo(
        transposeA
          ? matmul(b, dout, { transposeA: transposeB, transposeB: true })
          : matmul(dout, b, { transposeB: !transposeB }),
        a.shape,
      ),
    b: () =>
      sumTo(
        transposeB
          ? matmul(dout, a, { transposeA: true, transposeB: transposeA })
          : matmul(a, dout, { transposeA: !transposeA }),
        b.shape,
      ),
  }),
});

export const matmulReference: ReferenceOf<typeof matmulOp> = matmulLoops;

/**
 * [.., n, k] × [.., k, m] → [.., n, m]; leading axes broadcast.
 *
 * @example
 * matmul(tensor([[1, 2]]), tensor([[3], [4]])); // [[11]]
 * matmul(tensor([[1, 2]]), tensor([[3, 4]]), { transposeB: true }); // [[11]]
 */
export function matmul(a: Tensor, b: Tensor, options: Partial<MatmulAttrs> = {}): Tensor {
  rejectUnknownOptions('matmul', options, ['transposeA', 'transposeB']);
  const { transposeA = false, transposeB = false } = options;
  return matmulOp.apply({ a, b }, { transposeA, transposeB }).y;
}
