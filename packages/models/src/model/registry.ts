/** The paper's fourteen models, and those that go beyond it. */
import { expectOneOf } from '@flowgrad/tensor';
import { mulActing, mulMlpActing } from '../networks/actings.ts';
import { fullGnMessage, tanhUpdate } from '../networks/full-gn.ts';
import { gatMessage } from '../networks/gat.ts';
import { ggnnMessage, gruUpdate } from '../networks/ggnn.ts';
import { addName, isOurs, modelNames } from './catalogue.ts';
import type { ModelModule, ModelName } from './catalogue.ts';
import { defineExplicitFlow, defineRegularNetwork, defineWalker } from './define-model.ts';
import type { Model, ModelDefinition, ModelSettings } from './model.ts';
import { modelOptions } from './options.ts';
import type { OptionDeclarations } from './options.ts';

const networks = {
  FullGN: { message: fullGnMessage, update: tanhUpdate, hasGlobal: true },
  GGNN: { message: ggnnMessage, update: gruUpdate },
  GAT: { message: gatMessage, update: gruUpdate },
} as const;
type NetworkName = keyof typeof networks;

const ofNetwork = <Name extends NetworkName>(name: Name) =>
  ({
    [name]: defineRegularNetwork({ name, ...networks[name] }),
    [`${name}-NoAct`]: defineExplicitFlow({ name: `${name}-NoAct`, ...networks[name] }),
    [`${name}-Mul`]: defineExplicitFlow({ name: `${name}-Mul`, ...networks[name], acting: mulActing }),
    [`${name}-MulMlp`]: defineExplicitFlow({
      name: `${name}-MulMlp`,
      ...networks[name],
      acting: mulMlpActing,
    }),
  }) as Record<Name | `${Name}-NoAct` | `${Name}-Mul` | `${Name}-MulMlp`, ModelDefinition>;

/**
 * The paper's fourteen models by name: two random walks, and three networks each as such and with attention that
 * does not act, acts by multiplication, or by multiplication and an MLP.
 */
const paperModels = {
  'RW-Stationary': defineExplicitFlow({ name: 'RW-Stationary' }),
  'RW-Dynamic': defineExplicitFlow({ name: 'RW-Dynamic', update: tanhUpdate, hasGlobal: true }),
  ...ofNetwork('FullGN'),
  ...ofNetwork('GGNN'),
  ...ofNetwork('GAT'),
} as const;

/** All models by name: the paper's, and the walker, which can reach what the exact ceiling allows. */
export const models: Readonly<Record<ModelName, ModelDefinition>> = {
  ...paperModels,
  Walker: defineWalker('Walker'),
};

const added = new Map<string, ModelDefinition>();

/**
 * Makes a model of your own known by its name, to `createModel` and to whatever else takes names: settings of runs, flags,
 * reports. A name of ours is refused; one of your own that is there is replaced. `module` says where it came from.
 */
export function addModel(definition: ModelDefinition, module?: ModelModule): void {
  const { name, options, asks } = definition;
  if (isOurs(name)) {
    throw new TypeError(`addModel: expected a name that no model here has, got '${name}'`);
  }
  added.set(name, definition);
  const declared: OptionDeclarations = modelOptions;
  const known = options.filter((option) => Object.hasOwn(declared, option));
  addName(name, { options: Object.fromEntries(known.map((each) => [each, declared[each]])), asks, module });
}

/** Builds a model by name, or one of your own by its definition. */
export function createModel(model: ModelName | ModelDefinition, settings: ModelSettings): Model {
  if (typeof model !== 'string') return model.build(settings);
  const name = expectOneOf('createModel', 'model', model, modelNames);
  return (added.get(name) ?? models[name]).build(settings);
}
