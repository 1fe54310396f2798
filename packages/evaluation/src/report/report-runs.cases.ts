/** Runs with made-up numbers, as their folders would hold them. */
import type { RankingMetrics, RawAndFiltered } from '@flowgrad/data';
import { createWorld, rollOut } from '@flowgrad/gridworld';
import { summarizeRuns } from '../metrics/best-epochs.ts';
import { resolveRun } from '../run/run-config.ts';
import type { RunSettings } from '../run/run-config.ts';
import type { AttentionRecord, Environment, EpochRecord } from '../run/run-record.ts';
import type { ReportRun } from './report-run.ts';

/** A group of the paper, and one that is small and not. */
export const paperGroup = 'SINE-SZ32-STP16-NDRP-STD0.2';
export const smallGroup = 'SINE-SZ8-STP4-EDRP-STD0.2';

export function ranking(hits1: number): RankingMetrics {
  return { hits1, hits5: hits1 + 20, hits10: hits1 + 30, mr: 30 - hits1 / 4, mrr: hits1 / 100 + 0.1 };
}

export const both = (hits1: number): RawAndFiltered => ({
  raw: ranking(hits1),
  filtered: ranking(hits1 + 5),
});

/** Epochs with these Hits@1 on validation; on test they are one and a half lower. */
export function epochsWith(hits: readonly number[]): EpochRecord[] {
  return hits.map((valid, i) => ({
    epoch: i + 1,
    step: 10 * (i + 1),
    learningRate: 1e-3,
    loss: 5 - i / 2,
    valid: both(valid),
    test: both(valid - 1.5),
    seconds: 2.5,
  }));
}

export const environment: Environment = {
  flowgrad: '0.0.0',
  node: 'v20.19.0',
  platform: 'linux x64',
  processor: 'a processor, 2 cores',
  backend: 'wasm',
  device: 'wasm, 2 threads, relaxed SIMD',
  fromStep: 1,
};

export interface ExampleOptions {
  readonly hits?: readonly number[];
  readonly isDone?: boolean;
  readonly hasFlow?: boolean;
  readonly hasCeiling?: boolean;
}

export function exampleRun(
  settings: Partial<RunSettings> = {},
  { hits = [10, 20, 30, 25], isDone = true, hasFlow = true, hasCeiling = true }: ExampleOptions = {},
): ReportRun {
  const config = resolveRun({
    group: smallGroup,
    model: 'RW-Stationary',
    epochs: isDone ? hits.length : 50,
    ...settings,
  });
  const epochs = epochsWith(hits);
  const result = {
    epochs: epochs.length,
    seconds: 2.5 * epochs.length,
    raw: summarizeRuns([epochs]),
    filtered: summarizeRuns([epochs], 'filtered'),
    ...(hasCeiling && { ceiling: both(60) }),
    ...(hasFlow && { flow: { epoch: 3, share: [1, 0.5, 0.25], distance: [0, 1.5, 2] } }),
  };
  return {
    name: `${config.model}/seed${config.seed}`,
    config,
    epochs,
    environments: [environment],
    ...(isDone && { result, attention: exampleAttention(settings.seed ?? 1, hasFlow) }),
  };
}

function exampleAttention(seed: number, hasFlow: boolean): AttentionRecord {
  const world = createWorld(smallGroup, { seed });
  const trajectory = [...rollOut(world, 5, { seed, rollout: 0 })];
  const focused = trajectory.map((node): [number, number][] => [
    [node, 0.75],
    [0, 0.25],
  ]);
  const top: [number, number][] = [
    [0, 0.5],
    [trajectory.at(-1)!, 0.25],
  ];
  return { epoch: 3, source: 5, trajectory, top, ...(hasFlow && { focused }) };
}

/** Throws unless all elements are closed in the right order and all text is escaped; returns the elements' names. */
export function elementsOf(page: string): string[] {
  const open: string[] = [];
  const names: string[] = [];
  const rest = page
    .replace(/^<!doctype html>/, '')
    .replace(/<style>[^<]*<\/style>/, '')
    .replace(
      /<(\/?)([a-z][a-z0-9]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/gi,
      (tag, closing, name: string, _, single) => {
        if (closing && open.pop() !== name) throw new Error(`${tag} closes another element`);
        if (!closing) names.push(name);
        if (!closing && !single) open.push(name);
        return '';
      },
    );
  if (open.length > 0) throw new Error(`not closed: ${open.join(', ')}`);
  const stray = /.{0,30}(?:[<>]|&(?!(?:amp|lt|gt|quot|apos|#\d+);)).{0,30}/.exec(rest);
  if (stray) throw new Error(`not escaped: ${stray[0]}`);
  return names;
}
