/**
 * Ops: what they are, and how one runs. An op names what it takes and gives, and knows its shape rule, its gradient and
 * its reference; backends hold a kernel for each op of the registry, and a user's own op brings its kernels along.
 */
import { applyOp } from './apply.ts';
import type { Backend, DeviceBuffer, KernelTensor } from './backend.ts';
import type { TensorSpec } from './dtype.ts';
import { rejectUnknownOptions, TensorError, unknownName } from './errors.ts';
import type { BackwardContext, Gradients, SavedValues } from './gradient.ts';
import { namesOf } from './operands.ts';
import type { AnyValues, Named, OperandKinds, OutputKinds, Rows, TensorNames, Values } from './operands.ts';
import type { AnyHostKernel, HostKernel, OwnKernels } from './own-kernels.ts';
import type { RowIndex } from './row-index.ts';
import type { Tensor } from './tensor.ts';

/** For ops that take nothing but tensors and indices. */
export type NoAttrs = Readonly<Record<never, never>>;

/** Attributes are plain values: what lives on a device is an operand. */
export type PlainAttrs<Attrs> = {
  readonly [Name in keyof Attrs]: Attrs[Name] extends Plain ? Attrs[Name] : 'expected a plain value';
};
type Plain =
  number | string | boolean | null | undefined | readonly Plain[] | { readonly [name: string]: Plain };

/** Makes a name in `Given` that is not in `Known` a type error. */
type NoOthers<Given, Known> = { readonly [Name in Exclude<keyof Given, Known>]: never };

/** All that is needed to know of an op: its names, shape rule, reference, gradient and kernels. */
export interface OpDefinition<
  Name extends string,
  Operands extends OperandKinds,
  Outputs extends OutputKinds,
  Attrs,
  Saved = keyof Operands | keyof Outputs,
  Inferred = Values<Outputs, TensorSpec>,
  Given = Gradients<Operands>,
> {
  readonly name: Name;
  /** What the op takes: `{ x: 'tensor', bias: 'tensor?', segments: 'rows' }`. */
  readonly operands: Operands;
  /** What it gives, under other names than it takes. */
  readonly outputs: Outputs;
  /** Checks the operands (raising TensorError) and says what comes out. */
  readonly infer: (
    operands: Values<Operands, TensorSpec, RowIndex>,
    attrs: Attrs,
  ) => Inferred & NoOthers<Inferred, keyof Outputs>;
  /**
   * Plain loops that define the op. Outputs arrive allocated, contents undefined. Of a built-in op they lie `'beside'` it,
   * in a table like the kernels of other backends, so that a page that computes elsewhere need not load them.
   */
  readonly reference: HostKernel<Operands, Outputs, Attrs> | 'beside';
  /** Which operands and outputs `backward` reads the values of; all of them unless said. */
  readonly saves?: readonly Saved[];
  /**
   * A gradient for every tensor the op takes, by its name. Written with ops, it can be differentiated again. Absent: the
   * op has no gradient.
   */
  readonly backward?: (
    values: SavedValues<Operands, Saved> & SavedValues<Outputs, Saved>,
    context: BackwardContext<Operands, Outputs, Attrs>,
  ) => Given & NoOthers<Given, TensorNames<Operands>>;
  /** The output is this operand's memory under another shape: nothing runs. */
  readonly viewOf?: keyof Operands;
  /** Operands that the kernel overwrites in place. Such an op is never recorded. */
  readonly mutates?: readonly (keyof Operands)[];
  readonly kernels?: OwnKernels<Operands, Outputs, Attrs>;
}

/** An op that was defined: what it says of itself, and `apply`, which runs it on tensors. */
export interface Op<Name extends string, Operands extends OperandKinds, Outputs extends OutputKinds, Attrs> {
  readonly name: Name;
  readonly operands: Operands;
  readonly outputs: Outputs;
  readonly infer: (
    operands: Values<Operands, TensorSpec, RowIndex>,
    attrs: Attrs,
  ) => Values<Outputs, TensorSpec>;
  readonly reference: HostKernel<Operands, Outputs, Attrs> | 'beside';
  readonly backward: ((values: never, context: never) => object) | undefined;
  readonly kernels: OwnKernels<Operands, Outputs, Attrs> | undefined;
  /** @internal */
  readonly names: OpNames;
  /** Runs the op and returns its outputs. `backend` is that of the operands, or the current one if there are none. */
  readonly apply: (
    operands: Values<Operands, Tensor, RowIndex>,
    attrs: Attrs,
    backend?: Backend,
  ) => Values<Outputs, Tensor>;
}

/** What is known of an op's names when it is defined. */
export interface OpNames {
  readonly operands: readonly Named[];
  /** Those of the operands that are tensors. */
  readonly tensors: readonly Named[];
  readonly outputs: readonly Named[];
  /** Operands, then outputs. */
  readonly all: readonly Named[];
  readonly saves: ReadonlySet<string> | undefined;
  readonly viewOf: string | undefined;
  readonly mutates: readonly string[] | undefined;
  readonly hasOptional: boolean;
}

/** An op as backends and tapes see it. */
export interface AnyOp {
  readonly name: string;
  readonly infer: (operands: never, attrs: never) => AnyValues<TensorSpec, never>;
  readonly reference: AnyHostKernel | 'beside';
  readonly backward: ((values: never, context: never) => object) | undefined;
  readonly kernels: object | undefined;
  readonly names: OpNames;
  readonly apply: (operands: never, attrs: never, backend?: Backend) => AnyValues<Tensor, never>;
}

/** The attributes of an op. */
export type AttrsOf<O> = O extends Op<string, infer _Operands, infer _Outputs, infer Attrs> ? Attrs : never;

/** The plain loops that define an op. */
export type ReferenceOf<O> =
  O extends Op<string, infer Operands, infer Outputs, infer Attrs>
    ? HostKernel<Operands, Outputs, Attrs>
    : never;

/** What a backend calls for an op: `Extra` is what it hands its kernels to work with. */
export type KernelOf<O, Buffer extends DeviceBuffer, Extra> =
  O extends Op<string, infer Operands, infer Outputs, infer Attrs>
    ? (
        operands: Values<Operands, KernelTensor<Buffer>, Rows<KernelTensor<Buffer>>>,
        outputs: Values<Outputs, KernelTensor<Buffer>>,
        extra: Extra,
        attrs: Attrs,
      ) => void
    : never;

const knownFields = [
  ...['name', 'operands', 'outputs', 'infer', 'reference', 'backward'],
  ...['saves', 'viewOf', 'mutates', 'kernels'],
];

/**
 * Makes an op of its definition.
 *
 * @example
 * const double = defineOp({
 *   name: 'double',
 *   operands: { x: 'tensor' },
 *   outputs: { y: 'tensor' },
 *   infer: ({ x }) => ({ y: x }),
 *   reference: ({ x }, { y }) => {
 *     y.data.forEach((_, i) => (y.data[i] = 2 * x.data[i]));
 *   },
 *   backward: (_, { dout }) => ({ x: () => mul(dout.y, 2) }),
 * });
 * double.apply({ x: tensor([1, 2]) }, {}).y; // [2, 4]
 */
export function defineOp<
  const Name extends string,
  const Operands extends OperandKinds,
  const Outputs extends OutputKinds,
  Attrs extends PlainAttrs<Attrs> = NoAttrs,
  const Saved extends keyof Operands | keyof Outputs = keyof Operands | keyof Outputs,
  Inferred extends Values<Outputs, TensorSpec> = Values<Outputs, TensorSpec>,
  Given extends Gradients<Operands> = Gradients<Operands>,
>(
  definition: OpDefinition<Name, Operands, Outputs, Attrs, Saved, Inferred, Given>,
): Op<Name, Operands, Outputs, Attrs> {
  rejectUnknownOptions('defineOp', definition, knownFields);
  const { name, operands, outputs, infer, reference, backward, kernels } = definition;
  const names = checkedNames(definition as unknown as AnyDefinition);
  const op: Op<Name, Operands, Outputs, Attrs> = {
    name,
    operands,
    outputs,
    infer,
    reference,
    backward,
    kernels,
    names,
    apply: (given, attrs, backend) => applyOp(op, given, attrs, backend) as Values<Outputs, Tensor>,
  };
  return op;
}

type AnyDefinition = OpDefinition<string, OperandKinds, OutputKinds, unknown, string>;

/** The compiler sees most mistakes in a definition; this is for those who have none. */
function checkedNames({ name, operands, outputs, saves, viewOf, mutates }: AnyDefinition): OpNames {
  const op = `defineOp('${name}')`;
  const known = [...Object.keys(operands), ...Object.keys(outputs)];
  for (const field of [saves, mutates, viewOf === undefined ? [] : [viewOf]]) {
    const odd = field?.find((used) => !known.includes(used));
    if (odd !== undefined) {
      throw new TensorError(op, 'option', unknownName('names', odd, known));
    }
  }
  const twice = Object.keys(outputs).find((output) => output in operands);
  if (twice !== undefined) {
    throw new TensorError(
      op,
      'option',
      `expected outputs and operands of different names, got '${twice}' twice`,
    );
  }
  return { ...namesOfAll(operands, outputs), saves: saves && new Set(saves), viewOf, mutates };
}

/** The names of operands and outputs, taken apart once. */
export function namesOfAll(
  operandKinds: OperandKinds,
  outputKinds: OutputKinds,
): Pick<OpNames, 'operands' | 'tensors' | 'outputs' | 'all' | 'hasOptional'> {
  const [operands, outputs] = [namesOf(operandKinds), namesOf(outputKinds)];
  return {
    operands,
    tensors: operands.filter(({ isRows }) => !isRows),
    outputs,
    all: [...operands, ...outputs],
    hasOptional: operands.some(({ isOptional }) => isOptional),
  };
}
