/** Type tests: an op's names hold in each of its functions, here and in a user's own file. Nothing runs. */
import { defineOp, gather, mul, partialSums, segments, tensor } from '../index.ts';
import type { RowIndex, Tensor } from '../index.ts';

interface ScaleAttrs {
  readonly by: number;
}

const declared = {
  name: 'scaledSum',
  operands: { x: 'tensor', rows: 'rows', bias: 'tensor?', others: 'tensor[]' },
  outputs: { out: 'tensor' },
} as const;

/** What every definition below shares, and the compiler accepts. */
const scaledSumOp = defineOp({
  ...declared,
  infer: ({ x, rows, bias, others }, { by }: ScaleAttrs) => ({
    out: { dtype: x.dtype, shape: [rows.rows, by, bias?.shape.length ?? 0, others.length] },
  }),
  reference: ({ x, rows, bias }, { out }, { by }) => {
    out.data[0] = x.data[rows.ids.data[0]] * by + (bias?.data[0] ?? 0);
  },
  saves: ['x', 'rows'],
  backward: ({ x, rows, others }, { dout, attrs, needs }) => ({
    x: needs.x ? () => mul(gather(dout.out, rows), attrs.by) : null,
    bias: () => partialSums(x),
    others: others.map(() => null),
  }),
  kernels: {
    wasm: ({ x, rows }, { out }, { by }) => {
      out.data[0] = x.data[rows.order.data[0]] * by;
    },
  },
});

const x: Tensor = tensor([1]);
const rows: RowIndex = segments([0], 1);
const out: Tensor = scaledSumOp.apply({ x, rows, others: [] }, { by: 2 }).out;
export const complete: Tensor = scaledSumOp.apply({ x, rows, bias: out, others: [x] }, { by: 2 }).out;

// @ts-expect-error: a misspelt operand
scaledSumOp.apply({ x, row: rows, others: [] }, { by: 2 });
// @ts-expect-error: a missing operand
scaledSumOp.apply({ x, others: [] }, { by: 2 });
// @ts-expect-error: one too many
scaledSumOp.apply({ x, rows, others: [], y: x }, { by: 2 });
// @ts-expect-error: a tensor for an index
scaledSumOp.apply({ x, rows: x, others: [] }, { by: 2 });
// @ts-expect-error: one tensor for a list
scaledSumOp.apply({ x, rows, others: x }, { by: 2 });
// @ts-expect-error: an output that the op does not have
export type Unknown = ReturnType<typeof scaledSumOp.apply>['y'];
// @ts-expect-error: a missing attribute
scaledSumOp.apply({ x, rows, others: [] }, {});

const plain = { name: 'plain', operands: { x: 'tensor', rows: 'rows' }, outputs: { y: 'tensor' } } as const;
const reference = (): void => undefined;

// @ts-expect-error: infer reads an operand that is not declared
defineOp({ ...plain, reference, infer: ({ z }) => ({ y: z }) });
// @ts-expect-error: infer gives no output
defineOp({ ...plain, reference, infer: () => ({}) });
// @ts-expect-error: infer gives an output that is not declared
defineOp({ ...plain, reference, infer: ({ x }) => ({ y: x, z: x }) });
// @ts-expect-error: a kind that there is not
defineOp({ ...plain, operands: { x: 'tensors' }, reference, infer: () => ({ y: x }) });

const inferred = { ...plain, infer: () => ({ y: x }) };

// @ts-expect-error: reference reads an operand that is not declared
defineOp({ ...inferred, reference: ({ z }) => void z });
// @ts-expect-error: reference writes an output that is not declared
defineOp({ ...inferred, reference: (_operands, { out: written }) => void written });
// @ts-expect-error: a list that an index does not bring
defineOp({ ...inferred, reference: ({ rows: index }) => void index.data });

const referenced = { ...inferred, reference };

defineOp({ ...referenced, saves: ['rows'], backward: () => ({ x: null }), kernels: { wasm: reference } });
defineOp({ ...plain, reference, infer: ({ x: spec }, _attrs: { axes: readonly number[] }) => ({ y: spec }) });

// @ts-expect-error: too few gradients
defineOp({ ...referenced, backward: () => ({}) });
// @ts-expect-error: a misspelt one
defineOp({ ...referenced, backward: () => ({ x: null, z: null }) });
// @ts-expect-error: one for an index
defineOp({ ...referenced, backward: () => ({ x: null, rows: null }) });
// @ts-expect-error: a number is no gradient
defineOp({ ...referenced, backward: () => ({ x: 1 }) });
// @ts-expect-error: the gradient of an output that is not declared
defineOp({ ...referenced, backward: (_values, { dout }) => ({ x: dout.out }) });
// @ts-expect-error: saves a value that is neither operand nor output
defineOp({ ...referenced, saves: ['z'] });
// @ts-expect-error: reads a value that is not saved
defineOp({ ...referenced, saves: ['rows'], backward: ({ x: unsaved }) => ({ x: unsaved }) });
// @ts-expect-error: a kernel for a backend that there is not
defineOp({ ...referenced, kernels: { wgpu: reference } });
// @ts-expect-error: a kernel that reads an operand that is not declared
defineOp({ ...referenced, kernels: { wasm: ({ z }) => void z } });
// @ts-expect-error: an index among the attributes
defineOp({ ...plain, reference, infer: ({ x: spec }, _attrs: { index: RowIndex }) => ({ y: spec }) });
