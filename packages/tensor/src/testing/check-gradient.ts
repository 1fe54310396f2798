/** Gradients against central differences, in double precision on the reference. */
import type { NdArray } from '../core/dtype.ts';
import { scope } from '../core/scope.ts';
import type { Tensor } from '../core/tensor.ts';
import { relativeError } from './compare.ts';
import { asList, firstOrder, float64, on, readAll, secondOrder, upload, weightedTotal } from './run-case.ts';
import type { Run } from './run-case.ts';

/** Gradients agree with central differences to this, relative to the largest of an input. */
const gradientTolerance = 1e-6;
const differenceStep = 1e-5;

/** What of a function's gradients to check. */
export interface GradientOptions {
  /** 2 checks the gradient of the gradient. */
  readonly order?: 1 | 2;
}

/**
 * Checks the gradients of `run` by each float input at the given values. Rejects with the input and the place where
 * they disagree, or where the function has no finite value to take differences of.
 *
 * @example
 * await checkGradient(([x]) => tanh(x), [random([3])]);
 */
export async function checkGradient(
  run: Run,
  inputs: readonly NdArray[],
  { order = 1 }: GradientOptions = {},
): Promise<void> {
  const [analytic, total] =
    order === 1
      ? [firstOrder, (xs: readonly Tensor[]) => weightedTotal(asList(run(xs)))]
      : [secondOrder, (xs: readonly Tensor[]) => weightedTotal(firstOrder(run, xs))];
  await on(float64, async () => {
    const exact = await readAll(analytic(run, inputs.map(upload)));
    const floats = [...inputs.entries()].filter(([, { dtype }]) => dtype === 'float32');
    for (const [k, [which]] of floats.entries()) {
      const slopes = await centralDifferences(inputs, which, total);
      const error = relativeError(exact[k], slopes);
      if (error <= gradientTolerance) continue;
      const distance = (i: number): number => Math.abs(exact[k][i] - slopes[i]);
      const isWorse = (i: number, worst: number): boolean => !(distance(i) <= distance(worst));
      const worst = slopes.reduce((at, _, i) => (isWorse(i, at) ? i : at), 0);
      throw new Error(
        `the gradient of input ${which} at ${worst} is ${exact[k][worst]}, expected ${slopes[worst]} as by central ` +
          `differences (relative error ${error.toPrecision(2)}, at most ${gradientTolerance})`,
      );
    }
  });
}

/** d/dx of the scalar that `total` computes, for each value of one input in turn. */
async function centralDifferences(
  inputs: readonly NdArray[],
  which: number,
  total: (inputs: readonly Tensor[]) => Tensor,
): Promise<number[]> {
  const input = inputs[which];
  const slopes: number[] = [];
  for (let i = 0; i < input.data.length; i++) {
    const at = (step: number): Promise<number> =>
      scope(async () => {
        const data = Float64Array.from(input.data);
        data[i] += step;
        const value = await total(inputs.with(which, { ...input, data }).map(upload)).item();
        if (Number.isFinite(value)) return value;
        throw new Error(
          `central differences need finite values, got ${value} with input ${which} at ${i} moved by ${step} ` +
            '(give the case other values, or noGradient and the reason)',
        );
      });
    slopes.push(((await at(differenceStep)) - (await at(-differenceStep))) / (2 * differenceStep));
  }
  return slopes;
}
