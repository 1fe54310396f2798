export { isOurs, moduleOf, modelNames, optionsOf, paperModelNames, takesQueries } from './model/catalogue.ts';
export type { ModelModule, ModelName } from './model/catalogue.ts';
export { defineExplicitFlow, defineRegularNetwork, defineWalker } from './model/define-model.ts';
export type { FlowModelParts } from './model/flow-model.ts';
export type { MarkModelParts } from './model/mark-model.ts';
export type {
  Forward,
  ForwardOptions,
  LossOptions,
  Model,
  ModelDefinition,
  ModelOption,
  ModelSettings,
} from './model/model.ts';
export { modelOptions, suitsWidth } from './model/options.ts';
export type { OptionDeclaration, OptionDeclarations, OptionValues } from './model/options.ts';
export { addModel, createModel, models } from './model/registry.ts';
export type { ResolvedSettings } from './model/settings.ts';
export { mulActing, mulMlpActing } from './networks/actings.ts';
export { fullGnMessage, tanhUpdate } from './networks/full-gn.ts';
export { gatMessage } from './networks/gat.ts';
export { ggnnMessage, gruUpdate } from './networks/ggnn.ts';
export type {
  Acting,
  ActingPart,
  MessageFunction,
  MessagePart,
  NodeUpdate,
  NodeUpdatePart,
  Part,
  States,
  UpdateInputs,
} from './networks/network-parts.ts';
export type { FeatureInputs } from './parts/node-inputs.ts';
