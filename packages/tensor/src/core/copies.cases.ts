import { parameter } from '../ops/grad/grad.ts';
import { random } from '../testing/op-case.ts';
import type { ComposedCases } from '../testing/op-case.ts';
import { assign } from './assign.ts';
import { showShape } from './errors.ts';

const inPlace = 'nothing is recorded of what is overwritten in place';

/** Copies on the device, which are no ops. */
export const composedCopyCases = {
  assign: {
    tolerance: 'exact',
    cases: [[3, 5], [20011], [0]].map((shape) => ({
      name: `a parameter of ${showShape(shape)}`,
      inputs: [random(shape), random(shape)],
      run: ([initial, source]) => {
        const target = parameter(initial);
        assign(target, source);
        return target;
      },
      expected: ([, source]) => source.data,
      noGradient: inPlace,
    })),
  },
  parameter: {
    tolerance: 'exact',
    cases: [[3, 5], [20011], [0]].map((shape) => ({
      name: showShape(shape),
      inputs: [random(shape)],
      run: ([initial]) => parameter(initial),
      expected: ([initial]) => initial.data,
      noGradient: inPlace,
    })),
  },
} satisfies Record<string, ComposedCases>;
