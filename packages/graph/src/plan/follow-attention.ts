/** Makes a plan of pruned flow: at each step the model is run as far as needed, and what has most attention is kept. */
import { noGrad, rejectUnknownOptions, scope } from '@flowgrad/tensor';
import type { ConeBatch } from './cone-context.ts';
import type { Flow, Keep, KeptExample } from './kept-flow.ts';
import type { CheckedBatch } from './plan-batch.ts';
import { sharesTransitions } from './plan-kind.ts';
import type { PlanKind } from './plan-kind.ts';
import type { AttentionFlow, FollowedPlan, Plan } from './plan.ts';

interface FollowContext {
  readonly kind: PlanKind;
  readonly steps: number;
  /** As many as there are examples, until this is over. */
  readonly examples: readonly KeptExample[];
  planOf(this: void, batch: ConeBatch): Plan;
}

export async function followAttention(
  { kind, steps, examples, planOf }: FollowContext,
  batch: CheckedBatch,
  model: AttentionFlow,
  keep: Keep,
): Promise<FollowedPlan> {
  checkKeep(keep);
  const { flows } = model;
  if (!kind.flow || !flows) {
    throw new TypeError('follow: expected a model whose attention flows, got one that marks the source');
  }
  const { sources, destinations, lossOnly, asked } = batch;
  examples.forEach((example, i) => {
    example.begin(sources[i], keep);
  });
  let passes = 0;
  /** Runs the steps so far, for the flow of the last one. */
  const follow = async (): Promise<void> => {
    // What is cut must not depend on the destination, which is unknown where it is asked for.
    const ahead: ConeBatch = {
      sources,
      destinations: undefined,
      lossOnly: false,
      asked,
      steps: examples[0].length,
      cones: examples.map((example) => example.coneAhead()),
    };
    const flow = scope(() => noGrad(() => flows(planOf(ahead)).at(-1)!), 'follow');
    passes += 1;
    const values = (await flow.data().finally(() => {
      flow.dispose();
    })) as Flow;
    let first = 0;
    for (const example of examples) first += example.know(values.subarray(first), sharesTransitions(kind));
  };
  for (let t = 0; t < steps; t++) {
    if (examples.some((example) => example.needsAttention)) await follow();
    for (const example of examples) example.chooseNodes();
    if (examples.some((example) => example.needsFlow)) await follow();
    for (const example of examples) example.chooseEdges();
  }
  const total = (of: 'nodes' | 'edges', which: 'all' | 'cut'): number =>
    examples.reduce((sum, example) => sum + example[of][which], 0);
  const cut = {
    lost: Float32Array.from(examples, ({ lost }) => lost),
    nodes: { all: total('nodes', 'all'), cut: total('nodes', 'cut') },
    edges: { all: total('edges', 'all'), cut: total('edges', 'cut') },
    passes,
  };
  if (cut.nodes.cut + cut.edges.cut === 0) return { ...planOf({ ...batch, steps }), cut };
  const cones = examples.map((example, i) => example.cone(destinations?.[i], lossOnly));
  return { ...planOf({ ...batch, steps, cones }), cut };
}

function checkKeep(keep: Keep): void {
  rejectUnknownOptions('follow', keep, ['nodes', 'edges']);
  for (const name of ['nodes', 'edges'] as const) {
    if (Number.isSafeInteger(keep[name]) && keep[name] > 0) continue;
    throw new RangeError(`follow: expected keep.${name} to be a whole number ≥ 1, got ${keep[name]}`);
  }
}
