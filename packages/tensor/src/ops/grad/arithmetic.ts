/** How the backward pass adds up what flows to one value: in one op, whatever forms it comes in. */
import type { GradientArithmetic } from '../../autograd/walk-back.ts';
import type { ScatteredRows } from '../../core/gradient.ts';
import { Tensor } from '../../core/tensor.ts';
import { addAll } from '../add-all/add-all.op.ts';
import { zerosLike } from '../fill/fill.op.ts';
import { scatterAdd } from '../gather/gather.op.ts';
import { scatterAddAll } from '../scatter-all/scatter-add-all.op.ts';

export const arithmetic: GradientArithmetic = {
  zerosLike,
  sum: ({ shape }, terms) => {
    const scattered: ScatteredRows[] = [];
    const whole: Tensor[] = [];
    for (const term of terms) {
      if (term instanceof Tensor) whole.push(term);
      else if (term.kind === 'partialSums') whole.push(term.stack);
      else scattered.push(term);
    }
    if (scattered.length === 0) return addAll(whole, shape);
    if (whole.length === 0 && scattered.length === 1)
      return scatterAdd(scattered[0].rows, scattered[0].index);
    const isPlain = whole.length === 1 && whole[0].rank === shape.length;
    if (whole.length === 0 || isPlain) return scatterAddAll(scattered, whole[0]);
    const base = addAll(whole, shape);
    const sum = scatterAddAll(scattered, base);
    base.dispose();
    return sum;
  },
};
