/** Which runs of a group show their attention: those of one dataset, so that all are asked about the same walk. */
import { createWorld } from '@flowgrad/gridworld';
import type { World } from '@flowgrad/gridworld';
import type { AttentionRecord } from '../../run/run-record.ts';
import { isCard } from '../../run/dataset-card.ts';
import type { RunGroup } from '../group-runs.ts';

export interface AttentionExample {
  readonly world: World;
  readonly seed: number;
  /** The true walk. */
  readonly walk: readonly number[];
  readonly shown: readonly { readonly name: string; readonly attention: AttentionRecord }[];
}

/** Of the seed that most variants have, the lowest of equals; undefined where no run has left its attention. */
export function attentionExample({ variants }: RunGroup): AttentionExample | undefined {
  const bySeed = new Map<number, { name: string; attention: AttentionRecord }[]>();
  for (const { name, runs } of variants) {
    const seen = new Set<number>();
    for (const { config, attention } of runs) {
      if (!attention || seen.has(config.seed)) continue;
      seen.add(config.seed);
      bySeed.set(config.seed, [...(bySeed.get(config.seed) ?? []), { name, attention }]);
    }
  }
  const [most] = [...bySeed].sort(([a, left], [b, right]) => right.length - left.length || a - b);
  const { group } = variants[0].runs[0].config;
  // A map is of a grid.
  if (!most || isCard(group)) return undefined;
  const [seed, shown] = most;
  const world = createWorld(group, { seed });
  const walk = shown[0].attention.trajectory;
  return { world, seed, walk, shown: shown.filter(({ attention }) => isSame(attention.trajectory, walk)) };
}

const isSame = (a: readonly number[], b: readonly number[]): boolean => a.join() === b.join();

/** Node → the most attention it has at any step: the belt of the paper's figure. */
export function beltOf(focused: NonNullable<AttentionRecord['focused']>): Map<number, number> {
  const belt = new Map<number, number>();
  for (const step of focused) {
    for (const [node, attention] of step) belt.set(node, Math.max(attention, belt.get(node) ?? 0));
  }
  return belt;
}

/** The attention on nodes of the walk. */
export function shareOnWalk(step: readonly (readonly [number, number])[], walk: readonly number[]): number {
  const nodes = new Set(walk);
  return step.reduce((sum, [node, attention]) => sum + (nodes.has(node) ? attention : 0), 0);
}
