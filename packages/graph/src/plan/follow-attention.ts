/** Makes a plan of pruned flow, step by step after the attention of a model. */
import { noGrad, rejectUnknownOptions, scope } from '@flowgrad/tensor';
import { readCount } from '../read-indices.ts';
import type { ConeBatch } from './cone-context.ts';
import { createKeptExample } from './kept-flow.ts';
import type { Keep, KeptExample } from './kept-flow.ts';
import type { OutgoingEdges } from './outgoing-edges.ts';
import type { CheckedBatch } from './plan-batch.ts';
import type { PlanKind } from './plan-kind.ts';
import type { AttentionFlow, FollowedPlan, Plan } from './plan.ts';

interface FollowContext {
  readonly outgoing: OutgoingEdges;
  readonly kind: PlanKind;
  readonly steps: number;
  planOf(this: void, batch: ConeBatch): Plan;
}

export async function followAttention(
  { outgoing, kind, steps, planOf }: FollowContext,
  batch: CheckedBatch,
  model: AttentionFlow,
  keep: Keep,
): Promise<FollowedPlan> {
  checkKeep(keep);
  const { flows } = model;
  if (!kind.flow || !flows) {
    throw new TypeError('follow: expected a model whose attention flows, got one that marks the source');
  }
  const examples = Array.from(batch.sources, (source) => createKeptExample(source, keep, outgoing));
  const sofar = (): Pick<ConeBatch, 'kept'> => ({ kept: examples.map((example) => example.steps) });
  for (let t = 0; t < steps; t++) {
    for (const example of examples) example.chooseNodes();
    // What is cut must not depend on the destination, which is unknown where it is asked for.
    const ahead: ConeBatch = {
      sources: batch.sources,
      destinations: undefined,
      lossOnly: false,
      asked: batch.asked,
      steps: t + 1,
      ...sofar(),
    };
    const flow = scope(() => noGrad(() => flows(planOf(ahead)).at(-1)!), 'follow');
    const values = await flow.data().finally(() => {
      flow.dispose();
    });
    let first = 0;
    for (const example of examples) {
      first += chooseEdges(example, (values as Float32Array).subarray(first), outgoing, kind);
    }
  }
  const total = (of: 'nodes' | 'edges', which: 'all' | 'cut'): number =>
    examples.reduce((sum, example) => sum + example[of][which], 0);
  const isCut = total('nodes', 'cut') + total('edges', 'cut') > 0;
  return {
    ...planOf({ ...batch, steps, ...(isCut && sofar()) }),
    cut: {
      lost: Float32Array.from(examples, ({ lost }) => lost),
      nodes: { all: total('nodes', 'all'), cut: total('nodes', 'cut') },
      edges: { all: total('edges', 'all'), cut: total('edges', 'cut') },
    },
  };
}

/** Gives an example the flow of its edges, which come first in `flow`; how many values of it were the example's. */
function chooseEdges(
  example: KeptExample,
  flow: Float32Array | Float64Array,
  { offsets }: OutgoingEdges,
  { acts, global, asks = false }: PlanKind,
): number {
  const { senders } = example.steps.at(-1)!;
  // Where states are the background's, the flow has the edges of all steps at each.
  const isOneSet = !acts && !global && !asks;
  const leaving = isOneSet ? new Set(example.steps.flatMap((step) => [...step.senders])) : senders;
  let count = 0;
  let own = 0;
  for (const node of [...leaving].sort((a, b) => a - b)) {
    const degree = offsets[node + 1] - offsets[node];
    if (senders.has(node)) {
      if (own < count) flow.copyWithin(own, count, count + degree);
      own += degree;
    }
    count += degree;
  }
  example.chooseEdges(flow);
  return count;
}

function checkKeep(keep: Keep): void {
  rejectUnknownOptions('follow', keep, ['nodes', 'edges']);
  for (const name of ['nodes', 'edges'] as const) {
    readCount('follow', name, keep[name]);
    if (keep[name] === 0) throw new RangeError(`follow: expected ${name} of at least 1, got 0`);
  }
}
