/** Models made of parts. */
import { scope } from '@flowgrad/tensor';
import { buildFlowModel } from './flow-model.ts';
import type { FlowModelParts } from './flow-model.ts';
import { buildMarkModel } from './mark-model.ts';
import type { MarkModelParts } from './mark-model.ts';
import type { Model, ModelDefinition, ModelOption } from './model.ts';
import { resolveSettings } from './settings.ts';
import type { ResolvedSettings } from './settings.ts';

const always: readonly ModelOption[] = ['d', 'weightDecay', 'inputs'];

/** A model with explicit attention flow, of parts of the paper's or of one's own. */
export function defineExplicitFlow(parts: FlowModelParts): ModelDefinition {
  const options: readonly ModelOption[] = [
    ...always,
    ...(parts.message ? (['messageMemory'] as const) : []),
    ...(parts.message?.options ?? []),
    ...(parts.hasGlobal ? (['globalReduction'] as const) : []),
  ];
  return defined(parts.name, options, (settings) => buildFlowModel(parts, settings));
}

/** A regular graph network, of parts of the paper's or of one's own. */
export function defineRegularNetwork(parts: MarkModelParts): ModelDefinition {
  const options: readonly ModelOption[] = [
    ...always,
    'messageMemory',
    'attentionChannels',
    ...(parts.message.options ?? []),
  ];
  return defined(parts.name, options, (settings) => buildMarkModel(parts, settings));
}

function defined(
  name: string,
  options: readonly ModelOption[],
  build: (settings: ResolvedSettings) => Model,
): ModelDefinition {
  return {
    name,
    options,
    build: (settings) => scope(() => build(resolveSettings(name, options, settings)), name),
  };
}
