/** How closely attention follows the walks that really happened: what the paper shows in pictures. */
import type { Positions, SplitName } from '@flowgrad/data';
import { distinctQuestions, predict } from '../training/predict.ts';
import type { Trainer } from '../training/trainer.ts';

/** How well attention follows the walker, averaged over examples, at every time. */
export interface FlowMetrics {
  /** [T + 1] the attention on nodes of the true trajectory at t = 0 … T: 1 if all of it is there. */
  readonly share: readonly number[];
  /** [T + 1] cells between the attention's mean position and where the walker is at t. */
  readonly distance: readonly number[];
}

/**
 * Means over the examples of a split; undefined for regular networks, which have no attention before the end, and for datasets
 * that do not know which ways were taken, or where their nodes lie.
 */
export async function flowMetrics(trainer: Trainer, split: SplitName): Promise<FlowMetrics | undefined> {
  const { positions, examples } = trainer.dataset;
  const { sources, queries, path, count } = examples[split];
  if (!positions || !path) return undefined;
  const pathsOf = new Map<string, Int32Array[]>();
  const keyOf = (source: number, query?: number): string => `${source} ${query}`;
  for (const [example, source] of sources.entries()) {
    const key = keyOf(source, queries?.[example]);
    pathsOf.set(key, [...(pathsOf.get(key) ?? []), path(example)]);
  }
  let share: number[] = [];
  let distance: number[] = [];
  const asked = distinctQuestions(examples[split]);
  for await (const { source, query, attention } of predict(trainer, asked, { attention: 'focused' })) {
    if (!attention) return undefined;
    for (const path of pathsOf.get(keyOf(source, query))!) {
      share = added(share, attentionOnPath(attention.focused, path));
      distance = added(distance, distanceToWalker(attention.focused, path, positions));
    }
  }
  return { share: share.map((sum) => sum / count), distance: distance.map((sum) => sum / count) };
}

const added = (sums: readonly number[], values: readonly number[]): number[] =>
  values.map((value, t) => (sums[t] ?? 0) + value);

/** At each time the attention on any node of the path. */
export function attentionOnPath(focused: readonly Float32Array[], path: Int32Array): number[] {
  const nodes = [...new Set(path)];
  return focused.map((attention) => nodes.reduce((sum, node) => sum + attention[node], 0));
}

/** At each time the cells between Σ aᵢ (xᵢ, yᵢ) and the walker, who stays at the end of the path. */
export function distanceToWalker(
  focused: readonly Float32Array[],
  path: Int32Array,
  { x, y }: Positions,
): number[] {
  return focused.map((attention, t) => {
    const walker = path[Math.min(t, path.length - 1)];
    let [meanX, meanY] = [0, 0];
    for (const [node, value] of attention.entries()) {
      meanX += value * x[node];
      meanY += value * y[node];
    }
    return Math.hypot(meanX - x[walker], meanY - y[walker]);
  });
}
