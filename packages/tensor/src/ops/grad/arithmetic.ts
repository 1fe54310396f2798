/** How the backward pass adds up what flows to one value: in one op, whatever forms it comes in. */
import type { GradientArithmetic } from '../../autograd/walk-back.ts';
import type { GradientTerm, ScatteredRows } from '../../core/gradient.ts';
import { Tensor } from '../../core/tensor.ts';
import { addAll } from '../add-all/add-all.op.ts';
import { zerosLike } from '../fill/fill.op.ts';
import { scatterAdd } from '../gather/gather.op.ts';
import { scatterAddAll } from '../scatter-all/scatter-add-all.op.ts';

const isScattered = (term: GradientTerm): term is ScatteredRows =>
  !(term instanceof Tensor) && term.kind === 'scatteredRows';

export const arithmetic: GradientArithmetic = {
  zerosLike,
  sum: ({ shape }, terms) => {
    const scattered = terms.filter(isScattered);
    const whole = terms.flatMap((term) => {
      if (term instanceof Tensor) return [term];
      return term.kind === 'partialSums' ? [term.stack] : [];
    });
    if (scattered.length === 0) return addAll(whole, shape);
    if (whole.length === 0 && scattered.length === 1)
      return scatterAdd(scattered[0].rows, scattered[0].index);
    const isPlain = whole.length === 1 && whole[0].rank === shape.length;
    if (whole.length === 0 || isPlain) return scatterAddAll(scattered, whole[0]);
    using base = addAll(whole, shape);
    return scatterAddAll(scattered, base);
  },
};
