/** What was read from the files of a run may be anything: each check throws an error that says what was expected. */
import { metricNames } from '../metrics/best-epochs.ts';
import type { Position } from '../training/checkpoint.ts';
import type { AttentionRecord, Environment, EpochRecord, RunResult } from './run-record.ts';

/** Lines of metrics.jsonl. */
export function checkEpochs(lines: readonly unknown[]): asserts lines is readonly EpochRecord[] {
  lines.forEach((each, i) => {
    const line = `line ${i + 1}`;
    expectThat(isObject(each) && each['epoch'] === i + 1, `epoch ${i + 1} in ${line}`);
    expectThat(isNumber(each['loss']) && isNumber(each['seconds']), `loss and seconds in ${line}`);
    for (const split of [each['valid'], each['test']]) {
      expectThat(isRawAndFiltered(split), `all metrics in ${line}`);
    }
    expectThat(isCount(each['step']) && isNumber(each['learningRate']), `step and learning rate in ${line}`);
  });
}

export function checkPosition(value: unknown): asserts value is Position {
  expectThat(isObject(value) && isCount(value['epoch']), 'epoch to be a whole number');
  expectThat(isNumbers(value['losses']), 'losses to be numbers');
}

export function checkEnvironments(value: unknown): asserts value is readonly Environment[] {
  expectThat(Array.isArray(value) && value.every(isObject), 'a list of environments');
}

export function checkResult(value: unknown): asserts value is RunResult {
  expectThat(isObject(value) && isCount(value['epochs']), 'epochs to be a whole number');
  const { ceiling, flow, raw, filtered } = value;
  expectThat(ceiling === undefined || isRawAndFiltered(ceiling), 'all metrics in ceiling');
  if (flow !== undefined) {
    expectThat(isObject(flow), 'numbers in flow');
    const { share, distance } = flow;
    expectThat(isNumbers(share) && isNumbers(distance), 'numbers in flow');
    expectThat(share.length === distance.length, 'flow.share as long as flow.distance');
  }
  expectThat(isSummary(raw) && isSummary(filtered), 'all metrics in raw and filtered');
  expectThat(isNumber(value['seconds']), 'seconds to be a number');
}

export function checkAttention(value: unknown, nodeCount: number): asserts value is AttentionRecord {
  const isNode = (node: unknown): boolean => isCount(node) && node < nodeCount;
  const arePairs = (pairs: unknown): boolean =>
    Array.isArray(pairs) &&
    pairs.every((pair) => Array.isArray(pair) && isNode(pair[0]) && isNumber(pair[1]));
  expectThat(isObject(value), 'an object');
  const { trajectory, focused, top } = value;
  const isWalk = Array.isArray(trajectory) && trajectory.length > 0 && trajectory.every(isNode);
  expectThat(isWalk, `trajectory to be nodes of the map (${nodeCount})`);
  expectThat(arePairs(top), 'top to be pairs of node and score');
  const areSteps = focused === undefined || (Array.isArray(focused) && focused.every(arePairs));
  expectThat(areSteps, 'focused to be pairs of node and attention for each step');
}

function expectThat(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`expected ${what}, got something else`);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumber = (value: unknown): value is number => Number.isFinite(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isNumbers = (values: unknown): values is number[] => Array.isArray(values) && values.every(isNumber);

function isRawAndFiltered(value: unknown): boolean {
  if (!isObject(value)) return false;
  return [value['raw'], value['filtered']].every(
    (each) => isObject(each) && metricNames.every((metric) => isNumber(each[metric])),
  );
}

const isSummary = (value: unknown): boolean =>
  isObject(value) &&
  metricNames.every((metric) => {
    const each = value[metric];
    return isObject(each) && isNumber(each['mean']) && isNumber(each['std']) && isNumbers(each['values']);
  });
