import { rejectUnknownOptions } from '@flowgrad/tensor';
import { readCount, readNode } from '../read-indices.ts';
import { checkKind } from './plan-kind.ts';
import type { PlanBatch, PlannerOptions } from './plan.ts';

/** A batch that has been checked. */
export interface CheckedBatch {
  readonly sources: Int32Array;
  readonly destinations: Int32Array | undefined;
  readonly lossOnly: boolean;
}

export function checkPlannerOptions(where: string, options: PlannerOptions): void {
  rejectUnknownOptions(where, options, ['steps', 'kind']);
  readCount(where, 'steps', options.steps);
  if (options.steps === 0) throw new RangeError(`${where}: expected steps of at least 1, got 0`);
  checkKind(where, options.kind);
}

export function checkBatch(where: string, batch: PlanBatch, nodeCount: number): CheckedBatch {
  rejectUnknownOptions(where, batch, ['sources', 'destinations', 'lossOnly']);
  const { sources, destinations, lossOnly = false } = batch;
  if (sources.length === 0) throw new RangeError(`${where}: expected at least one source, got none`);
  if (destinations && destinations.length !== sources.length) {
    throw new RangeError(
      `${where}: expected a destination for each of ${sources.length} sources, got ${destinations.length}`,
    );
  }
  if (lossOnly && !destinations) {
    throw new TypeError(`${where}: expected destinations for a plan of the loss, got none`);
  }
  const nodes = (name: string, values: ArrayLike<number>): Int32Array =>
    Int32Array.from(values, (node, i) => readNode(where, `${name}[${i}]`, node, nodeCount));
  return {
    sources: nodes('sources', sources),
    destinations: destinations && nodes('destinations', destinations),
    lossOnly,
  };
}
