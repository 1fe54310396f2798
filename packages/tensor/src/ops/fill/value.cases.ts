import { adamUpdate } from '../adam/adam-update.op.ts';
import { showShape } from '../../core/errors.ts';
import { cast } from '../cast/cast.op.ts';
import { parameter } from '../../autograd/grad.ts';
import { assign } from '../../core/assign.ts';
import { nonFinite, random, rounding, values } from '../../testing/op-case.ts';
import type { ComposedCases, OpCases } from '../../testing/op-case.ts';
import { fill } from './fill.op.ts';

const special = [0, -0, 1.5, -1.5, 0.49, 3e9, -3e9, Infinity, -Infinity, NaN];

/** Ops that make or overwrite values rather than compute with them. */
export const valueCases = {
  fill: {
    tolerance: 'exact',
    cases: [
      { name: 'a matrix', inputs: [], run: () => fill({ shape: [3, 5], dtype: 'float32', value: 1.5 }) },
      { name: 'whole numbers', inputs: [], run: () => fill({ shape: [7], dtype: 'int32', value: -3 }) },
      { name: 'a mask', inputs: [], run: () => fill({ shape: [2], dtype: 'bool', value: 1 }) },
      { name: 'infinity', inputs: [], run: () => fill({ shape: [3], dtype: 'float32', value: -Infinity }) },
      { name: 'no values', inputs: [], run: () => fill({ shape: [0], dtype: 'float32', value: 1 }) },
      {
        name: 'several workgroups',
        inputs: [],
        run: () => fill({ shape: [20011], dtype: 'float32', value: 2 }),
      },
    ],
  },
  cast: {
    tolerance: 'exact',
    cases: [
      { name: 'floats to whole numbers', inputs: [values(special)], run: ([x]) => cast(x, 'int32') },
      { name: 'floats to a mask', inputs: [values(special)], run: ([x]) => cast(x, 'bool') },
      {
        name: 'whole numbers to floats',
        inputs: [values([1, -2, 0], [3], 'int32')],
        run: ([x]) => cast(x, 'float32'),
      },
      { name: 'a mask to floats', inputs: [values([1, 0], [2], 'bool')], run: ([x]) => cast(x, 'float32') },
      {
        name: 'a mask to whole numbers',
        inputs: [values([1, 0], [2], 'bool')],
        run: ([x]) => cast(x, 'int32'),
      },
      {
        name: 'whole numbers to a mask',
        inputs: [values([5, 0, -1], [3], 'int32')],
        run: ([x]) => cast(x, 'bool'),
      },
      {
        name: 'floats to floats',
        inputs: [values([1.5])],
        run: ([x]) => cast(x, 'float32'),
        noGradient: nonFinite,
      },
    ],
  },
  adamUpdate: {
    tolerance: rounding,
    cases: [1, 3, 1000].flatMap((step) =>
      [7, 4099].map((size) => ({
        name: `${size} values at step ${step}`,
        inputs: [random([size]), random([size]), random([size], -0.1, 0.1), random([size], 0, 0.1)],
        run: ([x, gradient, m, v]) => {
          const [p, first, second] = [x, m, v].map(parameter);
          adamUpdate(p, gradient, { first, second }, { step, learningRate: 1e-2 });
          return [p, first, second];
        },
      })),
    ),
  },
} satisfies Record<string, OpCases>;

const inPlace = 'nothing is recorded of what is overwritten in place';

/** Copies on the device, which are no ops. */
export const copyCases = {
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
