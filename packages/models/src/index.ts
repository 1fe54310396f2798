export { mulActing } from './actings/mul.ts';
export { mulMlpActing } from './actings/mul-mlp.ts';
export { multiplied } from './actings/acting.ts';
export type { Acting, ActingPart } from './actings/acting.ts';
export { fullGnMessage } from './messages/full-gn-message.ts';
export { gatMessage } from './messages/gat-message.ts';
export { ggnnMessage } from './messages/ggnn-message.ts';
export type {
  EdgeMessages,
  MessageFunction,
  MessagePart,
  PreparedMessages,
  Projection,
  StepStates,
} from './messages/message-function.ts';
export { defineExplicitFlow, defineRegularNetwork } from './model/define-model.ts';
export type { ExplicitFlowParts } from './model/explicit-flow.ts';
export type { RegularNetworkParts } from './model/regular-network.ts';
export type {
  Forward,
  ForwardOptions,
  Model,
  ModelDefinition,
  ModelOption,
  ModelSettings,
} from './model/model.ts';
export { createModel, modelNames, models } from './model/registry.ts';
export type { ModelName } from './model/registry.ts';
export type { BuildContext } from './parts/build-context.ts';
export type { FeatureInputs } from './parts/node-inputs.ts';
export type { GlobalReduction } from './updates/global-update.ts';
export { gruUpdate } from './updates/gru-update.ts';
export { tanhUpdate } from './updates/tanh-update.ts';
export type { NodeUpdate, NodeUpdatePart, UpdateInputs } from './updates/node-update.ts';
