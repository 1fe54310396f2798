/** Node updates: h'_i = f_node(h_i, m̄_i, g, u_i). */
import type { Module } from '@flowgrad/nn';
import type { Tensor } from '@flowgrad/tensor';
import type { BuildContext } from '../parts/build-context.ts';

/** One row for each state to be made. */
export interface UpdateInputs {
  /** [rows, d] the states before. */
  readonly states: Tensor;
  /** [rows, d] node inputs u. */
  readonly inputs: Tensor;
  /** [rows, d] m̄, of models with messages. */
  readonly messages?: Tensor;
  /** [rows, d] g, of models with a global state. */
  readonly global?: Tensor;
}

/** How the state of a node becomes the next, given the messages that came to it. */
export interface NodeUpdate {
  readonly modules: Readonly<Record<string, Module>>;
  apply(this: void, inputs: UpdateInputs): Tensor;
}

/** A kind of node update, to make models of. */
export interface NodeUpdatePart {
  build(
    this: void,
    context: BuildContext & { readonly hasMessages: boolean; readonly hasGlobal: boolean },
  ): NodeUpdate;
}
