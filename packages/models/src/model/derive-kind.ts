/** What plans need to know of a model, found out by two steps of it on a graph of one node. */
import { createDensePlanner, createGraph, overFlow, overMark, readsOf } from '@flowgrad/graph';
import type { EdgeExpression, FlowPass, MarkPass, MessageReads, Plan, PlanKind } from '@flowgrad/graph';
import { noGrad, scope, TensorError, zeros } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';

interface ProbeSize {
  readonly edgeTypeCount: number;
  readonly d: number;
  readonly hasGlobal: boolean;
  /** Whether examples carry queries. */
  readonly asks?: boolean;
}

export function flowKind(
  { hasGlobal, ...size }: ProbeSize,
  walk: (pass: FlowPass, u: Tensor) => unknown,
): PlanKind {
  const messages = probed(size, true, (plan, notice) => {
    overFlow(plan, { notice }, (pass) => void walk(pass, zeros([1, size.d])));
  });
  const acts = messages.some(({ attention }) => attention);
  if (acts && messages.some(({ isSilent }) => !isSilent)) {
    throw new TensorError(
      'createModel',
      'option',
      'expected an acting that makes the same of all messages where no attention flows, got one that does not ' +
        '(multiply by the flow first)',
    );
  }
  const kind = { flow: true, acts, global: hasGlobal, reads: readsOfAll(messages) };
  return size.asks ? { ...kind, asks: true } : kind;
}

export function markKind(
  { hasGlobal, ...size }: ProbeSize,
  logits: (pass: MarkPass, u: Tensor) => unknown,
): PlanKind {
  const messages = probed(size, false, (plan, notice) => {
    overMark(plan, { notice }, (pass) => void logits(pass, zeros([1, size.d])));
  });
  return { flow: false, acts: false, global: hasGlobal, reads: readsOfAll(messages) };
}

/** What the messages of two steps read, on a graph that has everything a model may ask for. */
function probed(
  { edgeTypeCount }: Omit<ProbeSize, 'hasGlobal'>,
  flow: boolean,
  run: (plan: Plan, notice: (messages: EdgeExpression) => void) => void,
): readonly MessageReads[] {
  const graph = createGraph({
    nodeCount: 1,
    senders: [0],
    receivers: [0],
    edgeTypes: [edgeTypeCount - 1],
    edgeTypeCount,
  });
  const kind: PlanKind = { flow, acts: flow, global: true, reads: 'siblings' };
  const planner = createDensePlanner(graph, { steps: 2, kind });
  const found: MessageReads[] = [];
  try {
    scope(() => {
      noGrad(() => {
        run(planner.plan({ sources: [0] }), (messages) => found.push(readsOf(messages)));
      });
    });
  } finally {
    planner.dispose();
  }
  return found;
}

function readsOfAll(messages: readonly MessageReads[]): PlanKind['reads'] {
  const order = ['nothing', 'sender', 'ends', 'siblings'] as const;
  return order[Math.max(0, ...messages.map(({ states }) => order.indexOf(states)))];
}
