/** Models made of parts. */
import { scope } from '@flowgrad/tensor';
import { buildExplicitFlow } from './explicit-flow.ts';
import type { ExplicitFlowParts } from './explicit-flow.ts';
import type { ModelDefinition, ModelOption } from './model.ts';
import { buildRegularNetwork } from './regular-network.ts';
import type { RegularNetworkParts } from './regular-network.ts';
import { resolveSettings } from './settings.ts';

const always: readonly ModelOption[] = ['d', 'weightDecay', 'inputs'];

/** A model with explicit attention flow, of parts of the paper's or of one's own. */
export function defineExplicitFlow(parts: ExplicitFlowParts): ModelDefinition {
  const { name } = parts;
  const options: readonly ModelOption[] = [
    ...always,
    ...(parts.message ? (['messageMemory'] as const) : []),
    ...(parts.message?.hasHeads ? (['heads'] as const) : []),
    ...(parts.hasGlobal ? (['globalReduction'] as const) : []),
  ];
  return {
    name,
    options,
    build: (settings) =>
      scope(() => buildExplicitFlow(parts, resolveSettings(name, options, settings)), name),
  };
}

/** A regular graph network, of parts of the paper's or of one's own. */
export function defineRegularNetwork(parts: RegularNetworkParts): ModelDefinition {
  const { name } = parts;
  const options: readonly ModelOption[] = [
    ...always,
    'messageMemory',
    'attentionChannels',
    ...(parts.message.hasHeads ? (['heads'] as const) : []),
  ];
  return {
    name,
    options,
    build: (settings) =>
      scope(() => buildRegularNetwork(parts, resolveSettings(name, options, settings)), name),
  };
}
