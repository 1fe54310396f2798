/** What was read from files may be anything. Whatever a report relies on is checked here, once. */
import { createWorld } from '@flowgrad/gridworld';
import { metricNames } from '../metrics/best-epochs.ts';
import type { ReportRun } from './report-run.ts';

/** Throws an error that names the file, `<folder>/summary.json`, and what is wrong in it. */
export function checkReportRun(
  { config, epochs, result, attention, environments }: ReportRun,
  folder: string,
): void {
  const { nodeCount } = within(folder, 'config.json', () => createWorld(config.group, config).map.graph);
  within(folder, 'metrics.jsonl', () => {
    epochs.forEach((each, i) => {
      const line = `line ${i + 1}`;
      expectThat(isObject(each) && each.epoch === i + 1, `epoch ${i + 1} in ${line}`);
      expectThat(isNumber(each.loss) && isNumber(each.seconds), `loss and seconds in ${line}`);
      for (const split of [each.valid, each.test])
        expectThat(isRawAndFiltered(split), `all metrics in ${line}`);
    });
    const most = Math.max(config.epochs, result?.epochs ?? 0);
    expectThat(epochs.length <= most, `at most ${most} lines`);
    expectThat(!result || epochs.length === most, `${most} lines, as summary.json is there`);
  });
  within(folder, 'summary.json', () => {
    if (!result) return;
    const { ceiling, flow } = result;
    expectThat(ceiling === undefined || isRawAndFiltered(ceiling), 'all metrics in ceiling');
    if (flow === undefined) return;
    expectThat(isObject(flow) && isNumbers(flow.share) && isNumbers(flow.distance), 'numbers in flow');
    expectThat(flow.share.length === flow.distance.length, 'flow.share as long as flow.distance');
  });
  within(folder, 'attention.json', () => {
    if (!attention) return;
    const isNode = (node: unknown): boolean =>
      Number.isInteger(node) && Number(node) >= 0 && Number(node) < nodeCount;
    const arePairs = (pairs: unknown): boolean =>
      Array.isArray(pairs) &&
      pairs.every((pair) => Array.isArray(pair) && isNode(pair[0]) && isNumber(pair[1]));
    const { trajectory, focused, top } = attention;
    const isWalk = Array.isArray(trajectory) && trajectory.length > 0 && trajectory.every(isNode);
    expectThat(isWalk, `trajectory to be nodes of the map (${nodeCount})`);
    expectThat(arePairs(top), 'top to be pairs of node and score');
    const areSteps = focused === undefined || (Array.isArray(focused) && focused.every(arePairs));
    expectThat(areSteps, 'focused to be pairs of node and attention for each step');
  });
  within(folder, 'environment.json', () => {
    expectThat(Array.isArray(environments) && environments.every(isObject), 'a list of environments');
  });
}

function within<T>(folder: string, file: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw new Error(`report: ${folder}/${file}: ${(error as Error).message}`);
  }
}

function expectThat(holds: boolean, what: string): void {
  if (!holds) throw new Error(`expected ${what}, got something else`);
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const isNumber = (value: unknown): boolean => Number.isFinite(value);
const isNumbers = (values: unknown): boolean => Array.isArray(values) && values.every(isNumber);

function isRawAndFiltered(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { raw, filtered } = value as Record<string, unknown>;
  return [raw, filtered].every(
    (each) =>
      isObject(each) && metricNames.every((metric) => isNumber((each as Record<string, unknown>)[metric])),
  );
}
