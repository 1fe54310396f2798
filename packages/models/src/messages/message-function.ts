/** Message functions: m_ij = f_msg(h_i, h_j, g; θ_type), for the edge from i to j. */
import type { Plan, PlanKind, PlanStep } from '@flowgrad/graph';
import type { Module } from '@flowgrad/nn';
import { gather, mul, recompute, reshape, scatterAdd } from '@flowgrad/tensor';
import type { RowIndex, Tensor } from '@flowgrad/tensor';
import type { BuildContext } from '../parts/build-context.ts';

/** The states at t, as message functions see them. */
export interface StepStates {
  /** [rows, d] */
  readonly rows: Tensor;
  /** [senders, d]: the rows of those who send. */
  readonly senders: Tensor;
  /** [examples, d], of models that have a global state. */
  readonly global?: Tensor;
}

/** The message of edge e is weights[e] · values[e]. */
export interface EdgeMessages {
  /** [messages, d], or [messages, heads, d / heads]. */
  readonly values: Tensor;
  /** [messages, heads]; 1 where absent. */
  readonly weights?: Tensor;
}

/** Messages as rows of a smaller tensor: the message of edge e is weights[e] · values[index e]. */
export interface MessageRows extends EdgeMessages {
  readonly index: RowIndex;
}

/** A linear map of the last axis, without bias: project(x·W) = x·project(W). */
export type Projection = (x: Tensor) => Tensor;

/** A message function at work: what does not change from step to step has been computed. */
export interface PreparedMessages {
  /** One message for each of the step's. */
  perEdge(this: void, states: StepStates, step: PlanStep): EdgeMessages;
  /** The same before it is spread over the edges, where many edges read one row. */
  rows?(this: void, states: StepStates, step: PlanStep): MessageRows;
  /** [rows at t + 1, d]: their sums m̄_j = Σ_i m_ij, where that is possible without a tensor of messages. */
  total?(this: void, states: StepStates, step: PlanStep): Tensor;
}

/** M(h_i, h_j): what an edge sends, of the states at its ends. */
export interface MessageFunction {
  /** Parameters by name. */
  readonly modules: Readonly<Record<string, Module>>;
  /** Once per forward pass. Messages are to be given through `project`, where there is one. */
  prepare(this: void, project?: Projection): PreparedMessages;
}

/** A kind of message function, to make models of. */
export interface MessagePart {
  /** What it reads of the states, which decides what plans may leave out. */
  readonly reads: Exclude<PlanKind['messages'], 'none'>;
  /** Whether it has `heads`, each of which is acted upon by itself. */
  readonly hasHeads?: boolean;
  build(this: void, context: BuildContext): MessageFunction;
}

/** One message for each edge. */
export function spread({ values, index, weights }: MessageRows): EdgeMessages {
  return { values: gather(values, index), ...(weights && { weights }) };
}

/** weights[e] · values[e] */
export function weighted({ values, weights }: EdgeMessages): Tensor {
  return weights ? mul(values, reshape(weights, [...weights.shape, 1])) : values;
}

/** Runs what makes a message for each edge, and again in the backward pass where keeping them would take too much. */
export type EdgePass = (fn: () => Tensor) => Tensor;

export function edgePass({ steps }: Plan, { d, messageMemory }: EdgePassSettings): EdgePass {
  const messages = steps.reduce((total, step) => total + (step.messages?.into.length ?? 0), 0);
  return messages * d * 4 > messageMemory ? recompute : (fn) => fn();
}

interface EdgePassSettings {
  readonly d: number;
  readonly messageMemory: number;
}

/** m̄_j = Σ_i m_ij */
export function totalMessages(
  prepared: PreparedMessages,
  states: StepStates,
  step: PlanStep,
  perEdge: EdgePass,
): Tensor {
  if (prepared.total) return prepared.total(states, step);
  return perEdge(() => sumInto(weighted(prepared.perEdge(states, step)), step));
}

/** Messages [messages, …] summed by receiver: [rows at t + 1, d]. */
export function sumInto(messages: Tensor, step: PlanStep): Tensor {
  const [count, ...width] = messages.shape;
  const d = width.reduce((product, extent) => product * extent, 1);
  return scatterAdd(reshape(messages, [count, d]), step.messages!.into);
}
