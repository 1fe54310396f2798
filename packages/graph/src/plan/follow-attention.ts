/** Makes a plan of pruned flow, step by step after the attention of a model. */
import { noGrad, rejectUnknownOptions, scope } from '@flowgrad/tensor';
import { readCount } from '../read-indices.ts';
import type { ConeBatch } from './cone-context.ts';
import { KeptExample } from './kept-flow.ts';
import type { Flow, Keep } from './kept-flow.ts';
import type { Numbering } from './numbering.ts';
import type { OutgoingEdges } from './outgoing-edges.ts';
import type { CheckedBatch } from './plan-batch.ts';
import type { PlanKind } from './plan-kind.ts';
import type { AttentionFlow, FollowedPlan, Plan } from './plan.ts';

interface FollowContext {
  readonly outgoing: OutgoingEdges;
  /** Of all nodes. */
  readonly numbering: Numbering;
  readonly kind: PlanKind;
  readonly steps: number;
  planOf(this: void, batch: ConeBatch): Plan;
}

export async function followAttention(
  { outgoing, numbering, kind, steps, planOf }: FollowContext,
  batch: CheckedBatch,
  model: AttentionFlow,
  keep: Keep,
): Promise<FollowedPlan> {
  checkKeep(keep);
  const { flows } = model;
  if (!kind.flow || !flows) {
    throw new TypeError('follow: expected a model whose attention flows, got one that marks the source');
  }
  const examples = Array.from(batch.sources, (source) => new KeptExample(source, keep, outgoing, numbering));
  const isCut = (): boolean => examples.some(({ nodes, edges }) => nodes.cut + edges.cut > 0);
  /** What is carried on; all of it, as long as nothing is cut. */
  const carried = (): Pick<ConeBatch, 'kept'> =>
    isCut() ? { kept: examples.map((example) => example.steps) } : {};
  let passes = 0;
  /** Runs the steps so far, for the flow of the last one. */
  const follow = async (): Promise<void> => {
    // What is cut must not depend on the destination, which is unknown where it is asked for.
    const ahead: ConeBatch = {
      sources: batch.sources,
      destinations: undefined,
      lossOnly: false,
      asked: batch.asked,
      steps: examples[0].steps.length,
      isAhead: true,
      ...carried(),
    };
    const flow = scope(() => noGrad(() => flows(planOf(ahead)).at(-1)!), 'follow');
    passes += 1;
    const values = (await flow.data().finally(() => {
      flow.dispose();
    })) as Flow;
    // Where states are the background's, or nothing is cut, the flow has the edges of all senders so far.
    const { acts, global, asks = false } = kind;
    const hasAllSenders = !ahead.kept || (!acts && !global && !asks);
    let first = 0;
    for (const example of examples) {
      const { flow, count } = ownFlow(example, values.subarray(first), outgoing, hasAllSenders);
      example.know(flow);
      first += count;
    }
  };
  for (let t = 0; t < steps; t++) {
    if (examples.some((example) => example.needsAttention)) await follow();
    for (const example of examples) example.chooseNodes();
    if (examples.some((example) => example.needsFlow)) await follow();
    for (const example of examples) example.chooseEdges();
  }
  const total = (of: 'nodes' | 'edges', which: 'all' | 'cut'): number =>
    examples.reduce((sum, example) => sum + example[of][which], 0);
  return {
    ...planOf({ ...batch, steps, ...carried() }),
    cut: {
      lost: Float32Array.from(examples, ({ lost }) => lost),
      nodes: { all: total('nodes', 'all'), cut: total('nodes', 'cut') },
      edges: { all: total('edges', 'all'), cut: total('edges', 'cut') },
      passes,
    },
  };
}

/** The flow of the edges that an example has at its last step, of those that come first in `flow`, and how many of these there are. */
function ownFlow(
  { steps }: KeptExample,
  flow: Flow,
  { offsets }: OutgoingEdges,
  hasAllSenders: boolean,
): { readonly flow: Flow; readonly count: number } {
  const { senders } = steps.at(-1)!;
  const leaving = hasAllSenders ? new Set(steps.flatMap((step) => [...step.senders])) : senders;
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
  return { flow: flow.subarray(0, own), count };
}

function checkKeep(keep: Keep): void {
  rejectUnknownOptions('follow', keep, ['nodes', 'edges']);
  for (const name of ['nodes', 'edges'] as const) {
    readCount('follow', name, keep[name]);
    if (keep[name] === 0) throw new RangeError(`follow: expected ${name} of at least 1, got 0`);
  }
}
