/** What a graph network is made of: messages, what attention makes of them, and the update of states. */
import type { EdgeExpression, StepEdges } from '@flowgrad/graph';
import type { Module } from '@flowgrad/nn';
import type { RandomKey, TableRows, Tensor } from '@flowgrad/tensor';
import type { OptionDeclarations } from '../model/options.ts';
import type { ResolvedSettings } from '../model/settings.ts';

/** Parameters by the names they have in the model. */
export interface Part {
  readonly modules: Readonly<Record<string, Module>>;
}

/** The states at t. */
export interface States {
  /** One row for each state. */
  readonly h: Tensor;
  /** [examples, d], of models that have a global state. */
  readonly g?: Tensor;
}

/** What an edge sends, of the states at its ends. */
export interface MessageFunction extends Part {
  /** m_ij of every edge; [width], or [heads, width]. */
  message(this: void, edges: StepEdges, states: States): EdgeExpression;
  /** The last extent of a message; d unless given. */
  readonly width?: number;
}

/** How the flowing attention ã of an edge acts on its message m. */
export interface Acting extends Part {
  /** A(ã_ij, m_ij), which must be the same for all messages where ã_ij = 0. */
  act(this: void, flow: EdgeExpression, message: EdgeExpression): EdgeExpression;
}

/** One row for each state to be made. */
export interface UpdateInputs extends Pick<States, 'h'> {
  /** [rows, d] node inputs u, as rows of a table with one for each node: `u.read()` reads them. */
  readonly u: TableRows;
  /** [rows, d] m̄, of models with messages. */
  readonly m?: Tensor;
  /** [rows, d] global states, as rows of a table with one for each example; of models that have a global state. */
  readonly g?: TableRows;
}

/** How the state of a node becomes the next, given the messages that came to it. */
export interface NodeUpdate extends Part {
  /** h' of h, m̄, u and g: [rows, d]. */
  update(this: void, inputs: UpdateInputs): Tensor;
}

/** A kind of message function, to make models of. */
export interface MessagePart {
  /** Options it takes beside those that all models have. */
  readonly options?: OptionDeclarations;
  build(this: void, settings: ResolvedSettings): MessageFunction;
}

/** A kind of acting, to make models of. `width` is that of a message, or of each head's. */
export interface ActingPart {
  build(this: void, context: { readonly width: number; readonly key: RandomKey }): Acting;
}

/** A kind of node update, to make models of. */
export interface NodeUpdatePart {
  build(
    this: void,
    settings: ResolvedSettings & { readonly hasMessages: boolean; readonly hasGlobal: boolean },
  ): NodeUpdate;
}
