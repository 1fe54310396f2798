/**
 * The loops over the op registry: a new op is tested by existing, on every backend, forward and backward.
 * They run unchanged in Node and in a browser; only the backends differ.
 */
import { describe, expect, it } from 'vitest';
import { grad } from '../autograd/grad.ts';
import { referenceBackend } from '../backends/reference/reference-backend.ts';
import { setBackend } from '../core/backend.ts';
import type { Backend } from '../core/backend.ts';
import type { DataArray, NdArray } from '../core/dtype.ts';
import { scope } from '../core/scope.ts';
import { memory } from '../core/storage.ts';
import type { Tensor } from '../core/tensor.ts';
import { tensor } from '../create/create.ts';
import { add, mul } from '../ops/elementwise/binary.op.ts';
import { sum } from '../ops/reduce/sum.op.ts';
import { composedCases, opCases } from '../ops/generated/all.cases.ts';
import { registry } from '../ops/registry.ts';
import { difference, relativeError } from './compare.ts';
import type { OpCase, OpCases } from './op-case.ts';

export const float64 = referenceBackend({ precision: 'float64' });

/** Gradients in float64 agree with central differences to this. */
const gradientTolerance = 1e-6;
const differenceStep = 1e-5;

function upload({ shape, dtype, data }: NdArray): Tensor {
  return tensor(data, { shape, dtype });
}

/** Runs `fn` on a backend, and asserts that it left no buffer behind. */
export async function on<T>(backend: Backend, fn: () => T | Promise<T>): Promise<T> {
  const previous = setBackend(backend);
  const before = memory();
  try {
    const result = await scope(async () => fn());
    expect(memory(), 'live buffers').toEqual(before);
    return result;
  } finally {
    setBackend(previous);
  }
}

function outputsOf(test: OpCase, inputs: readonly Tensor[]): readonly Tensor[] {
  const made = test.run(inputs);
  return Array.isArray(made) ? (made as readonly Tensor[]) : [made as Tensor];
}

const read = (tensors: readonly Tensor[]): Promise<DataArray[]> => Promise.all(tensors.map((x) => x.data()));

export function forward(backend: Backend, test: OpCase): Promise<DataArray[]> {
  return on(backend, () => read(outputsOf(test, test.inputs.map(upload))));
}

/** Fixed, uneven weights that turn any output into a scalar without symmetries that hide mistakes. */
function weightsFor(x: Tensor, salt: number): Tensor {
  const data = Float32Array.from({ length: x.size }, (_, i) => Math.sin(1 + i * 1.7 + salt));
  return upload({ shape: x.shape, dtype: 'float32', data });
}

function weightedTotal(tensors: readonly Tensor[]): Tensor {
  return tensors.map((x, k) => sum(mul(x, weightsFor(x, k)))).reduce((total, term) => add(total, term));
}

const floats = (tensors: readonly Tensor[]): Tensor[] => tensors.filter((x) => x.dtype === 'float32');

function firstOrder(test: OpCase, inputs: readonly Tensor[]): Tensor[] {
  return grad(() => weightedTotal(floats(outputsOf(test, inputs))), floats(inputs));
}

function secondOrder(test: OpCase, inputs: readonly Tensor[]): Tensor[] {
  return grad(() => weightedTotal(firstOrder(test, inputs)), floats(inputs));
}

/** d/dx of the scalar that `total` computes, for each value of each float input in turn. */
async function centralDifferences(
  test: OpCase,
  total: (inputs: readonly Tensor[]) => Tensor,
): Promise<number[][]> {
  const numeric: number[][] = [];
  for (const [which, input] of test.inputs.entries()) {
    if (input.dtype !== 'float32') continue;
    const slopes: number[] = [];
    for (let i = 0; i < input.data.length; i++) {
      const at = (step: number): Promise<number> =>
        scope(async () => {
          const data = Float64Array.from(input.data);
          data[i] += step;
          return total(test.inputs.with(which, { ...input, data }).map(upload)).item();
        });
      slopes.push(((await at(differenceStep)) - (await at(-differenceStep))) / (2 * differenceStep));
    }
    numeric.push(slopes);
  }
  return numeric;
}

/** Whether gradients exist to check: something floats in, and the op has a rule. */
export function isDifferentiable(name: string, test: OpCase): boolean {
  const ops: Readonly<Record<string, { backward?: unknown }>> = registry;
  const hasRule = !(name in ops) || ops[name].backward !== undefined;
  return hasRule && test.inputs.some(({ dtype }) => dtype === 'float32');
}

function eachCase(visit: (name: string, group: OpCases, test: OpCase) => void): void {
  for (const [name, group] of Object.entries({ ...opCases, ...composedCases })) {
    for (const test of group.cases) visit(name, group, test);
  }
}

/** Every case on `backend` gives what the float64 reference gives, forward and backward, and frees everything. */
export function describeParity(label: string, open: () => Backend): void {
  describe(`parity of ${label}`, () => {
    eachCase((name, { tolerance }, test) => {
      it(`${name} on ${test.name}`, async () => {
        const expected = await forward(float64, test);
        const actual = await forward(open(), test);
        expect(actual.map((data, k) => difference(data, expected[k], tolerance))).toEqual(
          expected.map(() => undefined),
        );
      });
      if (test.noGradient !== undefined || !isDifferentiable(name, test)) return;
      it(`gradient of ${name} on ${test.name}`, async () => {
        const gradients = (backend: Backend): Promise<DataArray[]> =>
          on(backend, () => read(firstOrder(test, test.inputs.map(upload))));
        const expected = await gradients(float64);
        const actual = await gradients(open());
        const loose = tolerance === 'exact' ? { absolute: 1e-5, relative: 1e-5 } : tolerance;
        expect(actual.map((data, k) => difference(data, expected[k], loose))).toEqual(
          expected.map(() => undefined),
        );
      });
    });
  });
}

/** The reference's gradients against central differences, and those of the gradients themselves. */
export function describeGradients(): void {
  describe('gradients in float64', () => {
    eachCase((name, group, test) => {
      if (test.noGradient !== undefined || !isDifferentiable(name, test)) return;
      const check = async (
        analytic: typeof firstOrder,
        total: (inputs: readonly Tensor[]) => Tensor,
      ): Promise<void> => {
        await on(float64, async () => {
          const numeric = await centralDifferences(test, total);
          const exact = await read(analytic(test, test.inputs.map(upload)));
          for (const [k, slopes] of numeric.entries()) {
            expect(relativeError(exact[k], slopes), `input ${k}`).toBeLessThanOrEqual(gradientTolerance);
          }
        });
      };
      it(`${name} on ${test.name}`, () =>
        check(firstOrder, (inputs) => weightedTotal(floats(outputsOf(test, inputs)))));
      if (group.noSecondOrder !== undefined) return;
      it(`gradient of the gradient of ${name} on ${test.name}`, () =>
        check(secondOrder, (inputs) => weightedTotal(firstOrder(test, inputs))));
    });
  });
}

/** Composed functions against their own independent definitions. */
export function describeComposed(): void {
  describe('composed functions', () => {
    for (const [name, { cases }] of Object.entries(composedCases)) {
      for (const test of cases) {
        it(`${name} on ${test.name} is what its definition says`, async () => {
          const [actual] = await forward(float64, test);
          const expected = test.expected(test.inputs);
          expect(difference(actual, expected, { absolute: 1e-12, relative: 1e-12 })).toBeUndefined();
        });
      }
    }
  });
}
