/** The loops that test ops, for any test runner or none; see `opChecks`. */
export { checkGradient } from './check-gradient.ts';
export type { GradientOptions } from './check-gradient.ts';
export { runChecks } from './check.ts';
export type { Check } from './check.ts';
export { barrierChecks, missingBarriers } from './missing-barriers.ts';
export { large, nonFinite, random, randomIds, rounding, sortedIds, summation, values } from './op-case.ts';
export type { ComposedCase, ComposedCases, OpCase, OpCases, Tolerance } from './op-case.ts';
export {
  backendChecks,
  benchChecks,
  coverageChecks,
  definitionChecks,
  gradientChecks,
  opChecks,
} from './op-checks.ts';
export type { OpTests, TestedOps } from './op-checks.ts';
