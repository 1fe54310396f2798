/** Where the attention of one source goes, as distributions over the nodes. */
import { SPLIT_NAMES } from '@flowgrad/data';
import type { Dataset } from '@flowgrad/data';
import { predict } from '@flowgrad/evaluation';
import type { Prediction, Trainer } from '@flowgrad/evaluation';
import type { GridMap } from '@flowgrad/gridworld';
import { UsageError } from '../usage-error.ts';

export interface AttentionFrame {
  readonly title: string;
  readonly distribution: Float32Array;
  /** What of it has stopped for good; of models that stop. */
  readonly stopped?: Float32Array | undefined;
}

export type WantedSteps = 'belt' | 'all' | number;

/** Where it starts and, of datasets that ask, what is asked. */
export interface Question {
  readonly source: number;
  readonly query?: number | undefined;
}

/** Of one time, or of all of them. */
export const stepTitle = (step: number | undefined, last: number): string =>
  step === undefined ? `most attention at t = 0 … ${last}` : `attention at t = ${step}`;

/** A node by its number or its coordinates, `12` or `3,4`. */
export function nodeOf(map: GridMap, text: string): number {
  const [, first, second] = /^(\d+)(?:,(\d+))?$/.exec(text) ?? [];
  if (first === undefined)
    throw new UsageError(`show: expected --source as x,y or a node's number, got '${text}'`);
  const { nodeCount } = map.graph;
  if (second === undefined) {
    if (Number(first) < nodeCount) return Number(first);
    throw new UsageError(`show: expected a node in 0..${nodeCount - 1}, got ${first}`);
  }
  const [x, y] = [Number(first), Number(second)];
  const node = x < map.size && y < map.size ? map.nodeOfCell[y * map.size + x] : -1;
  if (node >= 0) return node;
  throw new UsageError(
    `show: expected a place of the map (${map.size} × ${map.size}, some missing), got ${text}`,
  );
}

/** A walk from the source that really happened; undefined if there is none in the dataset. */
export function walkFrom(dataset: Dataset, source: number): Int32Array | undefined {
  for (const split of SPLIT_NAMES) {
    const { sources, path } = dataset.examples[split];
    const example = sources.indexOf(source);
    if (example >= 0) return path?.(example);
  }
  return undefined;
}

/** The test source with the longest walk: it shows most. */
export function longestTestSource(dataset: Dataset): number {
  const { sources, path } = dataset.examples.test;
  const lengths = Array.from(sources, (_, example) => path?.(example).length ?? 0);
  return sources[lengths.indexOf(Math.max(...lengths))];
}

export async function attentionFrames(
  trainer: Trainer,
  { source, query }: Question,
  wanted: WantedSteps,
): Promise<AttentionFrame[]> {
  const question = { sources: [source], ...(query !== undefined && { queries: [query] }) };
  const predictions = predict(trainer, question, { attention: 'focused' });
  const { scores, attention } = (await predictions.next()).value as Prediction;
  if (!attention) {
    if (wanted === 'belt') return [{ title: 'scores after the last step', distribution: softmax(scores) }];
    throw new UsageError(
      'show: expected a model whose attention flows for --step or --all, got a regular network',
    );
  }
  const { focused, stopped } = attention;
  const frame = (t: number): AttentionFrame => ({
    title: stepTitle(t, focused.length - 1),
    distribution: focused[t],
    stopped: stopped?.[t],
  });
  if (wanted === 'all') return focused.map((_, t) => frame(t));
  if (wanted === 'belt') {
    const most = focused[0].map((_, node) => Math.max(...focused.map((each) => each[node])));
    return [
      {
        title: stepTitle(undefined, focused.length - 1),
        distribution: most,
        stopped: stopped?.at(-1),
      },
    ];
  }
  if (wanted < focused.length) return [frame(wanted)];
  throw new UsageError(`show: expected --step in 0..${focused.length - 1}, got ${wanted}`);
}

function softmax(scores: Float32Array): Float32Array {
  const largest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - largest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}
