/** The edges of one step of a plan, as edge expressions read them. */
import {
  add,
  gather,
  gatherMul,
  gatherPair,
  gatherSum,
  matmul,
  reshape,
  scatterAdd,
  sum,
  tensor,
  TensorError,
  transpose,
} from '@flowgrad/tensor';
import type { RowIndex, Tensor } from '@flowgrad/tensor';
import { EdgeExpression } from '../expression/edge-expression.ts';
import type { End } from '../expression/edge-expression.ts';
import type { Arrivals, EdgeSet, EdgeSpace } from '../expression/edge-space.ts';
import { Lowering } from '../expression/lower.ts';
import { pickedIndex } from './derived-indices.ts';
import { expectAsked } from './asked-edges.ts';
import type { AskedEdges } from './asked-edges.ts';
import type { FlowStep, MarkStep, PlanFan, PlanFlow, PlanMessages } from './plan.ts';

/** What belongs to a whole pass over a plan. */
export type PassValues = Pick<EdgeSpace, 'once' | 'recomputes'> & {
  readonly edgeTypeCount: number;
  /** Of a plan whose examples ask: what tells which example an edge is of, and which edges are hidden. */
  readonly asked?: AskedEdges;
  /** Is called with the messages of every sum, so that what a model reads can be found out. */
  readonly notice?: (messages: EdgeExpression) => void;
};

/** Which row an edge reads at each end; 'same' where edge k reads row k. */
type Rows = { readonly [E in End]?: RowIndex | 'same' | undefined };

function edgeSet(
  { count, types }: Pick<EdgeSet, 'count' | 'types'>,
  rows: Rows,
  typedRows: Rows,
  placesIn: EdgeSet['placesIn'] = () => undefined,
): EdgeSet {
  const find = (among: Rows, end: End): RowIndex | undefined => {
    const index = among[end];
    if (index) return index === 'same' ? undefined : index;
    throw new TensorError(
      'sumIn',
      'option',
      `expected values that do not read the ${end} here, got some that do`,
    );
  };
  return {
    count,
    types,
    placesIn,
    rowsOf: (end) => (end === 'type' ? types : find(rows, end)),
    typedRowsOf: (end) => find(typedRows, end)!,
  };
}

function fanSet(fan: PlanFan, flow?: PlanFlow, example?: RowIndex): EdgeSet {
  const { senders, receivers, typedSenders, typedReceivers } = fan;
  return edgeSet(
    fan,
    { sender: senders, receiver: receivers, attention: flow?.entries, edge: flow && 'same', example },
    { sender: typedSenders, receiver: typedReceivers },
  );
}

/** The edges that attention flows along, where these are some of the fan's, each perhaps for several examples. */
function flowSet(
  { count, entries }: PlanFlow,
  fanEdges: RowIndex,
  { types, typedSenders }: PlanFan,
  fan: EdgeSet,
): EdgeSet {
  const placesIn: EdgeSet['placesIn'] = (other) => (other === fan ? fanEdges : undefined);
  return edgeSet(
    { count, types: pickedIndex(types, fanEdges) },
    { attention: entries, edge: 'same' },
    { sender: pickedIndex(typedSenders, fanEdges) },
    placesIn,
  );
}

function messageSet(messages: PlanMessages, fan: EdgeSet | undefined, ofFan?: RowIndex): EdgeSet {
  const { senders, receivers, attention, typedSenders, typedReceivers, typedExamples, fanEdges } = messages;
  const places = fanEdges === 'outside' ? undefined : (fanEdges ?? 'same');
  const picked = ofFan && places && (places === 'same' ? ofFan : pickedIndex(ofFan, places));
  const examples = messages.examples ?? picked;
  return edgeSet(
    messages,
    { sender: senders, receiver: receivers, example: examples, attention },
    { sender: typedSenders, receiver: typedReceivers, example: typedExamples },
    (other) => (other === fan ? places : undefined),
  );
}

/** What the edges of a step can read. */
export interface StepEdges {
  /** h: what the sender of each edge has. */
  sender(this: void, h: Tensor): EdgeExpression;
  /** h: what the receiver of each edge has. */
  receiver(this: void, h: Tensor): EdgeExpression;
  /** g [examples, …]: what the example of each edge has. */
  example(this: void, g: Tensor): EdgeExpression;
  /** The states of t, for the rows of t + 1. */
  carried(this: void, h: Tensor): Tensor;
}

/** The edges of a step in which attention flows. */
export interface FlowEdges extends StepEdges {
  /** a: the focused attention of the sender of each edge. */
  attention(this: void, a: Tensor): EdgeExpression;
  /** x [types, …]: what the type of each edge has. */
  ofType(this: void, x: Tensor): EdgeExpression;
  /** x [rows, types, …]: what the sender of each edge has for the type of the edge. */
  action(this: void, x: Tensor): EdgeExpression;
  /** ã of all edges that attention can flow along. */
  flowing(this: void, flow: EdgeExpression): Tensor;
  /** a'_j = Σ_i ã_ij, the focused attention at t + 1. */
  focus(this: void, flow: EdgeExpression): Tensor;
  /** x: a value for each edge that attention can flow along, as `flowing` gives it; of another step where steps are alike. */
  edge(this: void, x: Tensor): EdgeExpression;
  /**
   * wanted [examples, width], features [edges of the plan, width], as `ofEdges` of the pass makes them: their product for the
   * example and the edge that each edge is of; far below 0 for edges that nothing walks along. Of plans whose examples ask.
   */
  ofAsked(this: void, wanted: Tensor, features: Tensor): EdgeExpression;
}

export function flowEdges(step: FlowStep, pass: PassValues): FlowEdges {
  const { fan, flow, messages } = step;
  const { fanEdges } = flow;
  const asked = pass.asked?.ofStep(step);
  const example = asked?.examples;
  const out = fanSet(fan, fanEdges ? undefined : flow, example);
  const flowing = fanEdges ? flowSet(flow, fanEdges, fan, out) : out;
  const arrivals = messages && {
    edges: messageSet(messages, out, example),
    into: messages.into,
    ...(messages.unattended && { unattended: messages.unattended }),
  };
  const { space, read, carried } = stepSpace(step, { edges: out, senders: fan.senders }, arrivals, pass);
  const { lowering } = space;
  const spread = (x: EdgeExpression): Tensor => lowering!.spread(x, flowing);
  return {
    sender: read('sender'),
    receiver: read('receiver'),
    example: read('example'),
    attention: read('attention'),
    edge: read('edge'),
    ofType: read('type'),
    action: (x) => new EdgeExpression({ kind: 'action', x }, space, x.shape.slice(2)),
    carried,
    ofAsked: (wanted, features) => {
      const { examples: examplesOf, places, pairs, count, closed } = expectAsked(asked);
      const { examples, count: all } = pass.asked!;
      const across = (): Tensor => {
        const ofAll = matmul(
          wanted,
          pass.once([features], 'across', () => transpose(features)),
        );
        const values = reshape(ofAll, [examples * all]);
        return pairs ? gather(values, pairs) : values;
      };
      // Where most examples have most edges, one product of matrices gives all of them.
      const isMost = !pairs || 4 * count >= examples * all;
      const values = isMost
        ? across()
        : sum(gatherMul(wanted, features, { xRows: examplesOf, yRows: places }), 1);
      return read('edge')(closed ? add(values, tensor(closed)) : values);
    },
    flowing: spread,
    focus: (x) => {
      const { arriving, arrivals: into } = flow;
      return arriving ? gatherSum(spread(x), arriving, into) : scatterAdd(spread(x), into);
    },
  };
}

export function markEdges(step: MarkStep, pass: PassValues): StepEdges {
  const { fan, messages } = step;
  const out = fan && { edges: fanSet(fan), senders: fan.senders };
  const { read, carried } = stepSpace(
    step,
    out,
    { edges: messageSet(messages, out?.edges), into: messages.into },
    pass,
  );
  return { sender: read('sender'), receiver: read('receiver'), example: read('example'), carried };
}

function stepSpace(
  { senders: { rows }, receivers, carry }: FlowStep | MarkStep,
  out: EdgeSpace['out'],
  arrivals: Arrivals | undefined,
  pass: PassValues,
) {
  /** The rows of those who send, and of those who go on to t + 1: read together where both are asked for. */
  const pairs = new Map<Tensor, readonly [senders: Tensor, carried: Tensor]>();
  const read = (h: Tensor, at: RowIndex | undefined): Tensor => (at ? gather(h, at) : h);
  const pairOf = (h: Tensor) => {
    const both = () =>
      rows && carry ? gatherPair(h, rows, carry) : ([read(h, rows), read(h, carry)] as const);
    const pair = pairs.get(h) ?? both();
    pairs.set(h, pair);
    return pair;
  };
  const received = new Map<Tensor, Tensor>();
  const ofReceivers = (h: Tensor): Tensor => {
    const known = received.get(h) ?? read(h, receivers?.rows);
    received.set(h, known);
    return known;
  };
  const space: EdgeSpace & { lowering?: Lowering } = {
    edgeTypeCount: pass.edgeTypeCount,
    ...(out && { out }),
    ...(arrivals && { in: arrivals }),
    inIsComplete: false,
    valuesAt: (end, x) => (end === 'sender' ? pairOf(x)[0] : end === 'receiver' ? ofReceivers(x) : x),
    once: pass.once,
    recomputes: pass.recomputes,
    ...(pass.notice && { notice: pass.notice }),
  };
  space.lowering = new Lowering(space);
  const readAt =
    (end: End) =>
    (x: Tensor): EdgeExpression =>
      new EdgeExpression({ kind: 'read', end, x }, space, x.shape.slice(1));
  return { space, read: readAt, carried: (h: Tensor) => pairOf(h)[1] };
}
