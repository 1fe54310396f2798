/** The loops over ops: what is known of each, and the checks that follow from it on a backend. */
import type { BenchCase } from '../bench/bench-case.ts';
import type { Backend } from '../core/backend.ts';
import type { DataArray } from '../core/dtype.ts';
import { checkGradient } from './check-gradient.ts';
import type { Check } from './check.ts';
import { requireAgreement, requireSameBits } from './compare.ts';
import type { ComposedCase, OpCase, OpCases } from './op-case.ts';
import { asList, backward, float64, forward, on, readAll, upload } from './run-case.ts';
import { WatchedBackend } from './watched-backend.ts';

/** What is known of an op: its record, cases and bench sizes. A function composed of ops has no record. */
export interface OpTests extends OpCases {
  readonly op?: { readonly backward?: unknown };
  readonly bench?: readonly BenchCase[];
}

/** By name, as checks are to call them. */
export type TestedOps = Readonly<Record<string, OpTests>>;

/** Whether gradients exist to check: something floats in, and the op has a rule. */
export function hasGradient({ op }: OpTests, test: OpCase): boolean {
  if (test.noGradient !== undefined || (op && op.backward === undefined)) return false;
  return test.inputs.some(({ dtype }) => dtype === 'float32');
}

/**
 * Every case on a backend, forward and backward: it gives what the float64 reference gives within the op's tolerance,
 * and frees everything. It is watched while it runs: it must write all of every output and nothing else. A second run,
 * as users run it, must give the same bits.
 *
 * @example
 * import { openWasm } from '@flowgrad/tensor/node';
 * const run = ([x]: readonly Tensor[]) => tanh(x);
 * const cases = [{ name: 'three values', inputs: [random([3])], run }];
 * const backend = await openWasm();
 * await runChecks(backendChecks({ tanh: { tolerance: rounding, cases } }, () => backend));
 */
export function backendChecks(ops: TestedOps, backend: () => Backend): Check[] {
  return forEachCase(ops, (name, tests, test) => {
    const twice = async (
      what: string,
      run: (backend: Backend, test: OpCase) => Promise<DataArray[]>,
      tolerance: OpCases['tolerance'],
    ): Promise<void> => {
      const expected = await run(float64, test);
      const actual = await watchedRun(backend(), (watched) => run(watched, test));
      requireAgreement(what, actual, expected, tolerance);
      requireSameBits(what, actual, await run(backend(), test));
    };
    const loose = tests.tolerance === 'exact' ? { absolute: 1e-5, relative: 1e-5 } : tests.tolerance;
    const values = { name, run: () => twice('output', forward, tests.tolerance) };
    const slopes = { name: `gradient of ${name}`, run: () => twice('gradient', backward, loose) };
    return hasGradient(tests, test) ? [values, slopes] : [values];
  });
}

/**
 * The reference's gradients against central differences, and those of the gradients themselves.
 *
 * @example
 * const run = ([x]: readonly Tensor[]) => tanh(x);
 * const cases = [{ name: 'three values', inputs: [random([3])], run }];
 * await runChecks(gradientChecks({ tanh: { tolerance: rounding, cases } }));
 */
export function gradientChecks(ops: TestedOps): Check[] {
  return forEachCase(ops, (name, tests, test) => {
    if (!hasGradient(tests, test)) return [];
    const first = { name, run: () => checkGradient(test.run, test.inputs) };
    const second = {
      name: `gradient of the gradient of ${name}`,
      run: () => checkGradient(test.run, test.inputs, { order: 2 }),
    };
    return tests.noSecondOrder === undefined ? [first, second] : [first];
  });
}

/**
 * Functions that bring a definition of their own against it.
 *
 * @example
 * const run = ([x]: readonly Tensor[]) => square(x);
 * const test = { name: 'two', inputs: [values([2])], run, expected: () => [4] };
 * await runChecks(definitionChecks({ square: { tolerance: 'exact', cases: [test] } }));
 */
export function definitionChecks(ops: TestedOps): Check[] {
  return forEachCase(ops, (name, _, test) => {
    const { expected } = test as Partial<ComposedCase>;
    if (!expected) return [];
    const run = async (): Promise<void> => {
      const [actual] = await forward(float64, test);
      requireAgreement('output', [actual], [expected(test.inputs)], { absolute: 1e-12, relative: 1e-12 });
    };
    return [{ name: `${name} is what its definition says`, run }];
  });
}

/** An op that reads and writes as much is divided among dozens of workgroups; larger sizes only divide it further. */
const dividedBytes = 50_000;

/**
 * The smallest bench size of every op at which work is really divided: two runs, one of them watched, give the same bits.
 *
 * @example
 * import { benchCases } from '@flowgrad/tensor/bench';
 * import { openWasm } from '@flowgrad/tensor/node';
 * const backend = await openWasm();
 * const tests = { tolerance: rounding, cases: [], bench: benchCases.tanh };
 * await runChecks(benchChecks({ tanh: tests }, () => backend));
 */
export function benchChecks(ops: TestedOps, backend: () => Backend): Check[] {
  return Object.entries(ops).flatMap(([name, { bench = [] }]) => {
    const size = bench.find(({ bytes }) => bytes >= dividedBytes) ?? bench.at(-1);
    if (!size) return [];
    const bits = (which: Backend): Promise<DataArray[]> =>
      on(which, () => readAll(asList(size.prepare()(size.inputs().map(upload)))));
    const run = async (): Promise<void> => {
      requireSameBits('output', await watchedRun(backend(), bits), await bits(backend()));
    };
    return [{ name: `${name} at ${size.name}`, run }];
  });
}

/**
 * That something is checked at all.
 *
 * @example
 * const run = ([x]: readonly Tensor[]) => tanh(x);
 * const cases = [{ name: 'three values', inputs: [random([3])], run }];
 * await runChecks(coverageChecks({ tanh: { op: registry.tanh, tolerance: rounding, cases } }));
 */
export function coverageChecks(ops: TestedOps): Check[] {
  return Object.entries(ops).flatMap(([name, tests]) => {
    const cases = async (): Promise<void> => {
      if (tests.cases.length === 0) throw new Error('expected at least one case, got none');
    };
    const gradient = async (): Promise<void> => {
      if (tests.cases.some((test) => hasGradient(tests, test))) return;
      throw new Error('expected a case whose gradient is checked, since the op has a backward, got none');
    };
    return [
      { name: `${name} has cases`, run: cases },
      ...(tests.op?.backward === undefined
        ? []
        : [{ name: `${name} has a case with a gradient`, run: gradient }]),
    ];
  });
}

/**
 * Everything there is to check of ops outside the registry.
 *
 * @example
 * import { openWasm } from '@flowgrad/tensor/node';
 * const run = ([x]: readonly Tensor[]) => tanh(x);
 * const cases = [{ name: 'three values', inputs: [random([3])], run }];
 * await runChecks(opChecks({ tanh: { tolerance: rounding, cases } }, [await openWasm()]));
 */
export function opChecks(ops: TestedOps, backends: readonly Backend[]): Check[] {
  return [
    ...coverageChecks(ops),
    ...gradientChecks(ops),
    ...definitionChecks(ops),
    ...backends.flatMap((backend) => {
      const checks = [...backendChecks(ops, () => backend), ...benchChecks(ops, () => backend)];
      return checks.map(({ name, run }) => ({ name: `${backend.name}: ${name}`, run }));
    }),
  ];
}

/** What goes wrong in memory comes first: it explains wrong values. */
async function watchedRun<T>(backend: Backend, run: (watched: Backend) => Promise<T>): Promise<T> {
  const watched = new WatchedBackend(backend);
  const result = await run(watched);
  await watched.finish();
  return result;
}

function forEachCase(
  ops: TestedOps,
  visit: (name: string, tests: OpTests, test: OpCase) => readonly Check[],
): Check[] {
  return Object.entries(ops).flatMap(([op, tests]) =>
    tests.cases.flatMap((test) => visit(`${op} on ${test.name}`, tests, test)),
  );
}
