/** Models made of parts. */
import { scope } from '@flowgrad/tensor';
import { buildFlowModel } from './flow-model.ts';
import type { FlowModelParts } from './flow-model.ts';
import { buildMarkModel } from './mark-model.ts';
import type { MarkModelParts } from './mark-model.ts';
import type { Model, ModelDefinition, ModelOption } from './model.ts';
import { commonOptions, flowOptions, networkOptions, walkerOptions } from './options.ts';
import type { OptionDeclarations } from './options.ts';
import { buildWalkerModel } from './walker-model.ts';
import { namesOf, resolveSettings } from './settings.ts';
import type { ResolvedSettings } from './settings.ts';

/** A model with explicit attention flow, of parts of the paper's or of one's own. */
export function defineExplicitFlow(parts: FlowModelParts): ModelDefinition {
  return defined(parts.name, flowOptions(parts), (settings) => buildFlowModel(parts, settings), {
    asks: true,
  });
}

/** A regular graph network, of parts of the paper's or of one's own. */
export function defineRegularNetwork(parts: MarkModelParts): ModelDefinition {
  return defined(parts.name, networkOptions(parts), (settings) => buildMarkModel(parts, settings));
}

/** A walker that chooses among all edge types, and stops where one is missing. */
export function defineWalker(name: string): ModelDefinition {
  const build = (settings: ResolvedSettings): Model => buildWalkerModel(name, settings);
  return defined(name, { ...commonOptions, ...walkerOptions }, build);
}

function defined(
  name: string,
  options: OptionDeclarations,
  build: (settings: ResolvedSettings) => Model,
  { asks = false } = {},
): ModelDefinition {
  return {
    name,
    options: namesOf(options) as readonly ModelOption[],
    asks,
    build: (settings) => scope(() => build(resolveSettings(name, options, settings, { asks })), name),
  };
}
