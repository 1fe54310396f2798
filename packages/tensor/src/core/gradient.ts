/**
 * What a backward rule may give: the gradient of an operand as it is, or a tagged value that says how it becomes one. All
 * that flows to one value is added up together.
 */
import type { TensorSpec } from './dtype.ts';
import type {
  OperandKind,
  OperandKinds,
  OptionalNames,
  OutputKinds,
  Rows,
  TensorNames,
  ValueOf,
} from './operands.ts';
import type { RowIndex } from './row-index.ts';
import type { Tensor } from './tensor.ts';

/** A stack [p, …shape of the operand], whose sum over the first axis is the gradient. */
export interface PartialSums {
  readonly kind: 'partialSums';
  readonly stack: Tensor;
}

/** Rows on their way to the rows of the operand that `index` names: the gradient is scatterAdd(rows, index). */
export interface ScatteredRows {
  readonly kind: 'scatteredRows';
  readonly rows: Tensor;
  readonly index: RowIndex;
}

/**
 * A gradient that is the sum of `stack` over its first axis, left to be added up with all else.
 *
 * @example
 * const gradient = partialSums(ones([4, 2, 3])); // of an operand [2, 3], in four slices
 */
export function partialSums(stack: Tensor): PartialSums {
  return { kind: 'partialSums', stack };
}

/**
 * A gradient that is 0 but for the rows that `index` names, as the backward of a gather has it.
 *
 * @example
 * const gradient = scatteredRows(ones([2]), rowIndex([0, 2], 3)); // of an operand [3]
 */
export function scatteredRows(rows: Tensor, index: RowIndex): ScatteredRows {
  return { kind: 'scatteredRows', rows, index };
}

/** A gradient in several terms, which are added up with all else. */
export interface GradientTerms {
  readonly kind: 'terms';
  readonly terms: readonly GradientTerm[];
}

/**
 * Terms of a gradient that need not be added up yet: all that flows to one value is added at once.
 *
 * @example
 * const terms = gradientTerms([ones([3]), scatteredRows(ones([1]), rowIndex([2], 3))]);
 */
export function gradientTerms(terms: readonly GradientTerm[]): GradientTerms {
  return { kind: 'terms', terms };
}

/** What can be added up to a gradient. */
export type GradientTerm = Tensor | PartialSums | ScatteredRows;

/** A gradient, null where there is none, or a function that makes it, called only if the gradient is wanted. */
export type Gradient = GradientTerm | GradientTerms | null | (() => GradientTerm | GradientTerms | null);

/** A gradient for every tensor an op takes; for one that may be left out, only if it was not. */
export type Gradients<Operands extends OperandKinds> = {
  readonly [Name in Exclude<TensorNames<Operands>, OptionalNames<Operands>>]: ValueOf<
    Operands[Name],
    Gradient,
    never
  >;
} & { readonly [Name in Extract<TensorNames<Operands>, OptionalNames<Operands>>]?: Gradient | undefined };

/** The values that a rule reads, by name; of what the op does not save there are only shapes. */
export type SavedValues<Kinds extends OperandKinds, Saved> = {
  readonly [Name in Exclude<keyof Kinds, OptionalNames<Kinds>>]: SavedValue<Kinds[Name], Name, Saved>;
} & {
  readonly [Name in OptionalNames<Kinds>]?: SavedValue<Kinds[Name], Name, Saved> | undefined;
};

type SavedValue<Kind extends OperandKind, Name, Saved> = Name extends Saved
  ? ValueOf<Kind, Tensor, RowIndex>
  : ValueOf<Kind, TensorSpec, Pick<Rows<Tensor>, 'rows'>>;

/** Whether a type has more than one member. */
type IsUnion<T, Whole = T> = T extends unknown ? ([Whole] extends [T] ? false : true) : never;

/**
 * What a backward rule is given: the gradients of the outputs, the saved values, and which gradients are wanted.
 */
export interface BackwardContext<Operands extends OperandKinds, Outputs extends OutputKinds, Attrs> {
  /** Gradients of the outputs; null where nothing depends on one, which only ops of several outputs meet. */
  readonly dout: {
    readonly [Name in keyof Outputs]: ValueOf<
      Outputs[Name],
      IsUnion<keyof Outputs> extends true ? Tensor | null : Tensor,
      never
    >;
  };
  readonly attrs: Attrs;
  /** Whether the gradient of an operand is wanted, or of each in a list. */
  readonly needs: {
    readonly [Name in TensorNames<Operands>]: ValueOf<Operands[Name], boolean, never>;
  };
}
