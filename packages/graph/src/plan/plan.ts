/**
 * Execution plans: which rows and edges each step of a model computes for a batch of examples.
 *
 * Node states are rows of a matrix. A row belongs to one example and one node, or to a node alone where its state
 * does not depend on the example (the background). Models see counts and indices only; which plan they run on, they
 * do not know.
 */
import type { RowIndex, Tensor } from '@flowgrad/tensor';
import type { CutFlow, Keep } from './kept-flow.ts';
import type { PlanKind } from './plan-kind.ts';

/** The state rows at one time. */
export interface PlanRows {
  readonly count: number;
  /** Row → node of the plan: which input u belongs to it. Absent where row k is node k. */
  readonly nodes?: RowIndex | undefined;
  /** Row → example; sorted. Only where every row has one, which models with a global state need. */
  readonly examples?: RowIndex | undefined;
}

/** The focused attention at one time: a value per entry, which is an (example, node) pair; 0 for pairs without one. */
export interface PlanEntries {
  readonly count: number;
  /** Entry → example · nodeCount + node. */
  readonly outputs: RowIndex;
}

/** Those that edges leave, or lead to, during a step. */
export interface PlanEnds {
  readonly count: number;
  /** Sender or receiver → its state row at t; absent where they are the rows. */
  readonly rows?: RowIndex;
}

/** All outgoing edges of every sender, side by side: what a softmax over outgoing edges runs over. */
export interface PlanFan {
  readonly count: number;
  /** Edge → sender; sorted. */
  readonly senders: RowIndex;
  /** Edge → receiver. */
  readonly receivers: RowIndex;
  readonly types: RowIndex;
  /** Edge → sender · types + type: a slice of a typed product of the senders. */
  readonly typedSenders: RowIndex;
  /** Edge → receiver · types + type. */
  readonly typedReceivers: RowIndex;
}

/** How attention moves from the entries of t to those of t + 1. */
export interface PlanFlow {
  readonly count: number;
  /** Flow edge → fan edge; absent where the flow edges are the fan. */
  readonly fanEdges?: RowIndex;
  /** Flow edge → entry at t that it leaves. */
  readonly entries: RowIndex;
  /** The flow edges that arrive at an entry of t + 1; absent where all do. */
  readonly arriving?: RowIndex | undefined;
  /** Where they arrive. */
  readonly arrivals: RowIndex;
  /** Flow edge → example · edgeCount + edge of the graph. */
  readonly outputs: RowIndex;
}

/** The messages that have to be computed for the rows of t + 1. */
export interface PlanMessages {
  readonly count: number;
  /** Message → sender. */
  readonly senders: RowIndex;
  readonly types: RowIndex;
  /** Message → sender · types + type: the slice of a typed product [senders · types, …] that it reads. */
  readonly typedSenders: RowIndex;
  /** Message → receiver. For messages that read both ends. */
  readonly receivers?: RowIndex | undefined;
  /** Message → receiver · types + type. For messages that read both ends. */
  readonly typedReceivers?: RowIndex | undefined;
  /** Message → example, and · types + type. For messages that read the global state. */
  readonly examples?: RowIndex | undefined;
  readonly typedExamples?: RowIndex | undefined;
  /** Message → entry at t of its sender's attention. Where attention acts on messages. */
  readonly attention?: RowIndex | undefined;
  /** Message → fan edge; absent where message k is fan edge k or there is no fan; 'outside' where some messages are not in the fan. */
  readonly fanEdges?: RowIndex | 'outside' | undefined;
  /** Message → row of t + 1 that receives it. */
  readonly into: RowIndex;
  /**
   * [rows at t + 1, 1]: how many messages more each row receives on which no attention acts. What acting makes of
   * them, A(0, m), does not depend on m; absent where there are none.
   */
  readonly unattended?: Tensor;
}

/** What happens between t and t + 1. */
interface PlanStep {
  readonly senders: PlanEnds;
  /** Absent where they are all rows of t. */
  readonly receivers?: PlanEnds | undefined;
  /** Row of t + 1 → its row at t; absent where the rows stay. */
  readonly carry?: RowIndex | undefined;
}

/** A step in which attention flows. */
export interface FlowStep extends PlanStep {
  readonly fan: PlanFan;
  readonly flow: PlanFlow;
  /** Absent where no message into t + 1 is asked for. */
  readonly messages?: PlanMessages | undefined;
}

/** A step in which messages carry the mark of the source. */
export interface MarkStep extends PlanStep {
  /** For messages that read siblings. */
  readonly fan?: PlanFan;
  readonly messages: PlanMessages;
}

/** Which rows and edges each step of a model has, for one batch; what every plan says of itself. */
export interface Plan {
  readonly kind: PlanKind;
  readonly examples: number;
  readonly nodeCount: number;
  readonly edgeCount: number;
  readonly edgeTypeCount: number;
  /** T: how many steps a model makes. A plan that looks where attention goes next has the first of them alone. */
  readonly length: number;
  /** Whether the attention of all nodes comes out, not only that of the destinations. */
  readonly complete: boolean;
  /** Whether it has every node of every example at all times, as where everything is within reach. */
  readonly dense: boolean;
  /** The nodes whose inputs it reads: node of the plan → node of the graph. Absent where it reads all. */
  readonly nodes?: RowIndex | undefined;
  /** What its examples ask, of batches with queries. */
  readonly asked?: PlanQueries;
  /** [nodes of the graph, types]: 1 where no edge of the type leaves the node, else 0. */
  missing(this: void): Tensor;
  /** Whether every node has a self-loop of the last type, as `withSelfLoops` adds them. */
  hasLoops(this: void): boolean;
}

/** What the examples of a plan ask. */
export interface PlanQueries {
  /** Example → query. */
  readonly queries: Int32Array;
  /** Example → node of the graph. */
  readonly sources: Int32Array;
  /** Example → edges of the graph that nothing walks along. */
  readonly hidden?: readonly (readonly number[])[];
  /** Edge of the graph → the node it leaves, the node it leads to, and its type. */
  readonly senders: Int32Array;
  readonly receivers: Int32Array;
  readonly edgeTypes: Int32Array;
}

/** What a model with explicit attention flow runs on. */
export interface FlowPlan extends Plan {
  /** At t = 0 … T−1. */
  readonly rows: readonly PlanRows[];
  /** T of them. */
  readonly steps: readonly FlowStep[];
  /** T + 1 of them: at t = 0 … T. */
  readonly entries: readonly PlanEntries[];
  /** Example → the entry at 0 that has all its attention. */
  readonly sources: RowIndex;
  /** Example → the row at 0 that it has of its source; absent where nothing is asked. */
  readonly starts?: RowIndex;
  /** Example → the entry at T of its destination; absent without destinations. */
  readonly targets?: RowIndex;
}

/** What a regular network runs on. */
export interface MarkPlan extends Plan {
  /** At t = 0 … T. */
  readonly rows: readonly PlanRows[];
  /** T of them. */
  readonly steps: readonly MarkStep[];
  /** Example → the row at 0 that bears the source's mark. */
  readonly sources: RowIndex;
  /** Example · nodeCount + node → its row at T. */
  readonly outputs: RowIndex;
  /** Example → node; absent without destinations. */
  readonly targets?: RowIndex;
}

/** What a planner adds to the sizes of a plan. */
export type FlowParts = Omit<FlowPlan, Exclude<keyof Plan, 'nodes'>>;
export type MarkParts = Omit<MarkPlan, Exclude<keyof Plan, 'nodes'>>;

/** How much a plan computes, over all times and steps. */
export interface PlanSize {
  /** State rows. */
  readonly rows: number;
  /** Messages. */
  readonly messages: number;
}

/** How much a plan computes: what makes a step of training fast or slow. */
export function planSize(plan: Plan): PlanSize {
  const { rows, steps } = plan as FlowPlan | MarkPlan;
  const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
  const messages = (steps as readonly (FlowStep | MarkStep)[]).map((step) => step.messages?.count ?? 0);
  return { rows: total(rows.map(({ count }) => count)), messages: total(messages) };
}

/** The examples of a batch: where each starts, and where it should end. */
export interface PlanBatch {
  readonly sources: ArrayLike<number>;
  /** One for each source: needed for the loss. */
  readonly destinations?: ArrayLike<number>;
  /** What each example asks; of models that take queries. */
  readonly queries?: ArrayLike<number>;
  /** For each example the edges of the graph that its attention does not walk along; none unless given. With queries. */
  readonly hidden?: readonly (readonly number[])[];
  /**
   * Whether only the loss is asked for. A plan may then leave out what cannot reach the destinations; scores and
   * attention of other nodes do not come out. False unless given.
   */
  readonly lossOnly?: boolean;
}

/** Makes plans for batches over one graph, with what all of them share made once. */
export interface Planner {
  /** Belongs to the innermost scope, as tensors do. */
  plan(this: void, batch: PlanBatch): Plan;
  /**
   * A plan of pruned flow: at each step it carries on what most of the attention is on, as `model` has it. `plan.cut`
   * says what that leaves out; where nothing is, it is the plan that `plan` makes.
   */
  follow(this: void, batch: PlanBatch, model: AttentionFlow, keep: Keep): Promise<FollowedPlan>;
  /** Frees what the plans share. They cannot be used afterwards. */
  dispose(this: void): void;
}

/** What pruned flow needs of a model. */
export interface AttentionFlow {
  /** ã of every step, for the edges that a plan has there; absent where attention does not flow. */
  readonly flows?: (this: void, plan: Plan) => readonly Tensor[];
}

/** A plan that carries on some of the attention only. */
export type FollowedPlan = Plan & { readonly cut: CutFlow };

/** What a planner makes plans for. */
export interface PlannerOptions {
  /** T: how many steps a model makes. */
  readonly steps: number;
  readonly kind: PlanKind;
}
