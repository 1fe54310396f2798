/**
 * A pass over a plan: the words in which a model says its steps. Which rows and edges a plan has stays in here; a model
 * sees tensors of states, attention and global states, and what edges read of them.
 */
import {
  full,
  gather,
  ones,
  reshape,
  rowIndex,
  scatterAdd,
  scope,
  segmentMean,
  segmentSum,
  TensorError,
} from '@flowgrad/tensor';
import type { RowIndex, TableRows, Tensor } from '@flowgrad/tensor';
import type { EdgeExpression } from '../expression/edge-expression.ts';
import { flowEdges, markEdges } from './step-edges.ts';
import { askedEdges, expectAsked } from './asked-edges.ts';
import type { FlowEdges, PassValues, StepEdges } from './step-edges.ts';
import type { FlowPlan, FlowStep, MarkPlan, Plan, PlanRows } from './plan.ts';

/** What a pass can be told. */
export interface PassOptions {
  /**
   * Bytes that tensors with a row per message may take in a pass, 320 MiB unless given. What is made for each edge is kept
   * for the backward pass below that, and computed again above.
   */
  readonly messageMemory?: number;
  /** Is called with the expression of every sum of messages. */
  readonly notice?: (messages: EdgeExpression) => void;
}

/** The states at one time: a row for each (example, node) that has one of its own, or for a node alone. */
export interface StateRows {
  /** x [nodes of the plan, …], as `read` gives it → [rows, …]: what the node of each row has. */
  ofNodes(this: void, x: Tensor): Tensor;
  /** The same, not read yet: for layers that multiply x before it is read by row. What they make of it lasts for the pass. */
  fromNodes(this: void, x: Tensor): TableRows;
  /** g [examples, …] → [rows, …], not read yet: what the example of each row has. */
  fromExamples(this: void, g: Tensor): TableRows;
  /** x [rows, …] → [examples, …] */
  sumByExample(this: void, x: Tensor): Tensor;
  /** x [rows, …] → [examples, …] */
  meanByExample(this: void, x: Tensor): Tensor;
}

/** A step and the rows that its states are made for. */
export type Step<Edges extends StepEdges> = Edges & {
  /** The rows of t + 1; absent where nothing reads them. */
  readonly after?: StateRows;
};

/** The steps of a plan, ready for a model to compute on: edges to write messages of, and the rows of each time. */
export interface Pass<Edges extends StepEdges> {
  readonly examples: number;
  /** x [nodes of the graph, …] → what those nodes have of it that the plan is about. */
  read(this: void, x: Tensor): Tensor;
  /** The rows of t = 0. */
  readonly start: StateRows;
  readonly steps: readonly Step<Edges>[];
}

/** A pass in which attention flows. */
export interface FlowPass extends Pass<FlowEdges> {
  /** All attention of each example on its source. */
  readonly attention: Tensor;
  /** [nodes of the plan, types]: 1 where no edge of the type leaves the node, else 0. */
  missing(this: void): Tensor;
  /** Whether every node has a self-loop of the last type. */
  hasLoops(this: void): boolean;
  /** The attention of the destinations after the last step: [examples]. Undefined without destinations. */
  atDestinations(this: void, a: Tensor): Tensor | undefined;
  /** Whether examples carry queries. */
  readonly asks: boolean;
  /** x [queries, …] → [examples, …]: what the query of each example has. Of plans whose examples ask. */
  ofQueries(this: void, x: Tensor): Tensor;
  /** x [nodes of the graph, …] → [examples, …]: what the source of each example has. Of plans whose examples ask. */
  ofSources(this: void, x: Tensor): Tensor;
  /** T: how many steps the model makes; `steps` are the first of them where a plan looks ahead. */
  readonly length: number;
  /** What the edges of the graph that the plan has read, each edge once. Of plans whose examples ask. */
  readonly ofEdges: EdgeReads;
  /** x [examples, …] → [rows of t = 0, …]: x in the row that each example has of its source, else 0. Of plans whose examples ask. */
  atSources(this: void, x: Tensor): Tensor;
  /** a at time t, of all nodes: [examples, nodes]. */
  ofAllNodes(this: void, a: Tensor, t: number): Tensor;
  /** ã of step t, of all edges of the graph: [examples, edges]. */
  ofAllEdges(this: void, flow: Tensor, t: number): Tensor;
}

/** x of all nodes or types of the graph → [edges of the plan, …] */
export interface EdgeReads {
  sender(this: void, x: Tensor): Tensor;
  receiver(this: void, x: Tensor): Tensor;
  type(this: void, x: Tensor): Tensor;
}

/** A pass in which the source bears a mark. */
export interface MarkPass extends Pass<StepEdges> {
  /** [rows, channels]: `value` in each channel of the source's row, 0 elsewhere. */
  mark(this: void, channels: number, value: number): Tensor;
  /** Example → node; undefined without destinations. */
  readonly destinations: RowIndex | undefined;
  /** x [rows at T] of all nodes: [examples, nodes]. */
  ofAllNodes(this: void, x: Tensor): Tensor;
}

/** Runs `fn` with a pass over a plan in which attention flows. What it returns is kept; what it made besides is freed. */
export function overFlow<T>(plan: Plan, options: PassOptions, fn: (pass: FlowPass) => T): T {
  const { rows, steps, entries, sources, starts, targets, examples, nodeCount, edgeCount, asked } =
    plan as FlowPlan;
  return inPass(plan as FlowPlan, options, (values, rowsOf) => {
    const edges = perStep(steps, (step) => flowEdges(step, values));
    return fn({
      examples,
      read: reader(plan as FlowPlan),
      start: rowsOf(rows[0]),
      steps: edges.map((each, t) => (rows[t + 1] ? { ...each, after: rowsOf(rows[t + 1]) } : each)),
      attention: scatterAdd(ones([examples]), sources),
      missing: () => reader(plan as FlowPlan)(plan.missing()),
      hasLoops: plan.hasLoops,
      asks: asked !== undefined,
      ofQueries: (x) => gather(x, rowIndex(expectAsked(asked).queries, x.shape[0])),
      ofSources: (x) => gather(x, rowIndex(expectAsked(asked).sources, x.shape[0])),
      length: plan.length,
      atSources: (x) => scatterAdd(x, expectAsked(starts)),
      ofEdges: edgeReads(values),
      atDestinations: (a) => targets && gather(a, targets),
      ofAllNodes: (a, t) => reshape(scatterAdd(a, entries[t].outputs), [examples, nodeCount]),
      ofAllEdges: (flow, t) => reshape(scatterAdd(flow, steps[t].flow.outputs), [examples, edgeCount]),
    });
  });
}

/** Runs `fn` with a pass over a plan in which the source bears a mark. */
export function overMark<T>(plan: Plan, options: PassOptions, fn: (pass: MarkPass) => T): T {
  const { rows, steps, sources, outputs, targets, examples, nodeCount } = plan as MarkPlan;
  return inPass(plan as MarkPlan, options, (values, rowsOf) => {
    const edges = perStep(steps, (step) => markEdges(step, values));
    return fn({
      examples,
      read: reader(plan as MarkPlan),
      start: rowsOf(rows[0]),
      steps: edges.map((each, t) => ({ ...each, after: rowsOf(rows[t + 1]) })),
      mark: (channels, value) => scatterAdd(full([examples, channels], value), sources),
      destinations: targets,
      ofAllNodes: (x) => reshape(gather(x, outputs), [examples, nodeCount]),
    });
  });
}

function edgeReads({ asked }: PassValues): EdgeReads {
  const read = (of: 'senders' | 'receivers' | 'types') => (x: Tensor) =>
    gather(x, rowIndex(expectAsked(asked)[of], x.shape[0]));
  return { sender: read('senders'), receiver: read('receivers'), type: read('types') };
}

function reader({ nodes }: FlowPlan | MarkPlan): (x: Tensor) => Tensor {
  return (x) => (nodes ? gather(x, nodes) : x);
}

/** A step that a plan has at several times is made once. */
function perStep<Planned, Edges>(steps: readonly Planned[], make: (step: Planned) => Edges): Edges[] {
  const made = new Map<Planned, Edges>();
  return steps.map((step) => {
    const known = made.get(step) ?? make(step);
    made.set(step, known);
    return known;
  });
}

function inPass<T>(
  plan: FlowPlan | MarkPlan,
  { messageMemory = 5 * 2 ** 26, notice }: PassOptions,
  fn: (values: PassValues, rowsOf: (rows: PlanRows) => StateRows) => T,
): T {
  const pass = scope('pass over a plan');
  try {
    /** Keeps a value that was made inside a step until the pass ends. */
    const owned = (value: Tensor): Tensor => {
      if (value.owner && value.owner !== pass) {
        value.owner.disown(value);
        pass.own(value);
      }
      return value;
    };
    const messages = (plan.steps as readonly Pick<FlowStep, 'messages'>[]).reduce(
      (total, step) => total + (step.messages?.count ?? 0),
      0,
    );
    const made: { readonly name: string; readonly from: readonly object[]; readonly value: Tensor }[] = [];
    const once: PassValues['once'] = (from, name, make) => {
      const isSame = (other: readonly object[]): boolean =>
        other.length === from.length && other.every((each, i) => each === from[i]);
      const known = made.find((each) => each.name === name && isSame(each.from));
      if (known) return known.value;
      const value = owned(scope(make));
      made.push({ name, from, value });
      return value;
    };
    const values: PassValues = {
      edgeTypeCount: plan.edgeTypeCount,
      once,
      recomputes: (channels) => messages * channels * 4 > messageMemory,
      ...(plan.asked && { asked: askedEdges(plan.asked, plan as FlowPlan) }),
      ...(notice && { notice }),
    };
    const result = fn(values, stateRows(plan.rows, owned));
    return pass.keep(result);
  } finally {
    pass.dispose();
  }
}

/** Where rows stay from step to step, what they have of their nodes is read once and kept until the pass ends. */
function stateRows(
  times: readonly PlanRows[],
  owned: (value: Tensor) => Tensor,
): (rows: PlanRows) => StateRows {
  const staying = new Set(times.filter((rows, t) => times.indexOf(rows) !== t));
  const kept = new Map<PlanRows, Map<Tensor, Tensor>>();
  const ofNodes = (rows: PlanRows, x: Tensor): Tensor => {
    if (!rows.nodes) return x;
    if (!staying.has(rows)) return gather(x, rows.nodes);
    const values = kept.get(rows) ?? new Map<Tensor, Tensor>();
    kept.set(rows, values);
    const value = values.get(x) ?? owned(gather(x, rows.nodes));
    values.set(x, value);
    return value;
  };
  /** What layers have made of x. */
  const made = new Map<Tensor, Map<object, object>>();
  const madeOf = (x: Tensor): Pick<TableRows, 'once' | 'isMade'> => {
    const ofOwners = made.get(x) ?? new Map<object, object>();
    made.set(x, ofOwners);
    const once: TableRows['once'] = (owner, make) => {
      const known = ofOwners.get(owner) as ReturnType<typeof make> | undefined;
      if (known) return known;
      const values = scope(() => make(x));
      Object.values(values).forEach(owned);
      ofOwners.set(owner, values);
      return values;
    };
    return { once, isMade: (owner) => ofOwners.has(owner) };
  };
  return (rows) => {
    const examples = () => {
      if (rows.examples) return rows.examples;
      throw new TensorError(
        'plan',
        'option',
        'expected a plan for models with a global state, got one of another kind (give the planner model.kind)',
      );
    };
    return {
      ofNodes: (x) => ofNodes(rows, x),
      fromNodes: (x) => ({
        table: x,
        rows: rows.nodes,
        ...madeOf(x),
        read: (made = x) => ofNodes(rows, made),
      }),
      fromExamples: (g) => ({
        table: g,
        rows: examples(),
        ...madeOf(g),
        read: (made = g) => gather(made, examples()),
      }),
      sumByExample: (x) => segmentSum(x, examples()),
      meanByExample: (x) => segmentMean(x, examples()),
    };
  };
}
