/**
 * The loops over the op registry: a new op is tested by existing, on every backend, forward and backward.
 * They run unchanged in Node and in a browser; only the backends differ.
 */
import { describe, it } from 'vitest';
import type { Backend } from '../../core/backend.ts';
import { benchCases } from '../../ops/generated/all.bench.ts';
import { composedCases, opCases } from '../../ops/generated/all.cases.ts';
import { registry } from '../../ops/registry.ts';
import type { OpName } from '../../ops/registry.ts';
import type { Check } from '../check.ts';
import {
  backendChecks,
  benchChecks,
  coverageChecks,
  definitionChecks,
  gradientChecks,
} from '../op-checks.ts';
import type { TestedOps } from '../op-checks.ts';

/** Every op of the registry, and every function composed of them. */
export const testedOps: TestedOps = {
  ...Object.fromEntries(
    Object.entries(opCases).map(([name, cases]) => [
      name,
      { ...cases, op: registry[name as OpName], bench: benchCases[name as OpName] },
    ]),
  ),
  ...composedCases,
};

/** What a check goes through before it is run: that of Node's watchdog ends a process that hangs. */
type Guard = (check: Check) => Check;

/** Gives checks to Vitest under one heading. */
export function describeChecks(
  label: string,
  checks: readonly Check[],
  guard: Guard = (check) => check,
): void {
  describe(label, () => {
    for (const { name, run } of checks.map(guard)) it(name, run);
  });
}

export function describeParity(label: string, open: () => Backend, guard?: Guard): void {
  describeChecks(`parity of ${label}`, backendChecks(testedOps, open), guard);
}

export function describeSameBits(label: string, open: () => Backend, guard?: Guard): void {
  describeChecks(`the same bits twice on ${label}`, benchChecks(testedOps, open), guard);
}

export function describeGradients(): void {
  describeChecks('gradients in float64', gradientChecks(testedOps));
}

export function describeComposed(): void {
  describeChecks('composed functions', definitionChecks(testedOps));
}

export function describeCoverage(): void {
  describeChecks('every op', coverageChecks(testedOps));
}
