/** addAll: any number of terms, added in one pass. */
import { showShape, TensorError } from '../../core/errors.ts';
import { expectDType, expectSome } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import { sameShape } from '../../core/shape.ts';
import type { Shape } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';
import { broadcastTo } from '../shape/broadcast-to.op.ts';

export interface AddAllAttrs {
  /** Of the result. */
  readonly shape: Shape;
}

/** y = Σ_i Σ_p x_i[p], for x_i of y's shape or [p, …y's shape], added in the order given;   dx_i[p] = dout */
export const addAllOp = defineOp({
  name: 'addAll',
  operands: { terms: 'tensor[]' },
  outputs: { y: 'tensor' },
  infer: ({ terms }, { shape }: AddAllAttrs) => {
    expectSome('addAll', 'term', terms);
    for (const [i, term] of terms.entries()) {
      expectDType('addAll', `term ${i}`, term, 'float32');
      if (sameShape(term.shape, shape) || isStackOf(shape, term.shape)) continue;
      throw new TensorError(
        'addAll',
        'shape',
        `expected terms of shape ${showShape(shape)}, or stacks of it, got ${showShape(term.shape)}`,
      );
    }
    return { y: { dtype: 'float32', shape } };
  },
  reference: 'beside',
  saves: [],
  backward: ({ terms }, { dout }) => ({
    terms: terms.map((term) => () => broadcastTo(dout.y, term.shape)),
  }),
});

export const addAllReference: ReferenceOf<typeof addAllOp> = ({ terms }, { y }) => {
  const size = y.data.length;
  for (let i = 0; i < size; i++) {
    let total = 0;
    for (const { data } of terms) for (let at = i; at < data.length; at += size) total += data[at];
    y.data[i] = total;
  }
};

/** Whether `stack` is [p, …shape]. */
export function isStackOf(shape: Shape, stack: Shape): boolean {
  return stack.length === shape.length + 1 && sameShape(stack.slice(1), shape);
}

/** How many values of y's shape a term has: more than one if it is a stack. */
export function stackSize(term: { readonly shape: Shape }, shape: Shape): number {
  return term.shape.length === shape.length ? 1 : term.shape[0];
}

/** The sum of the terms, each of `shape` or a stack [p, …shape]. */
export function addAll(terms: readonly Tensor[], shape: Shape): Tensor {
  return addAllOp.apply({ terms }, { shape }).y;
}
