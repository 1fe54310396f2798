import { expectOneOf, rejectUnknownOptions, TensorError } from '@flowgrad/tensor';
import { globalReductions } from '../networks/full-gn.ts';
import type { ModelOption, ModelSettings } from './model.ts';

/** Settings with every default filled in. */
export type ResolvedSettings = Required<Omit<ModelSettings, 'inputs'>> & Pick<ModelSettings, 'inputs'>;

const where = 'createModel';
const always = ['nodeCount', 'edgeTypeCount', 'key'] as const;

/** Checks settings against the options that a model takes. */
export function resolveSettings(
  name: string,
  options: readonly ModelOption[],
  settings: ModelSettings,
): ResolvedSettings {
  rejectUnknownOptions(`${where}('${name}')`, settings, [...always, ...options]);
  if (settings.inputs) {
    rejectUnknownOptions(`${where}('${name}').inputs`, settings.inputs, ['features', 'hidden', 'embeddings']);
  }
  const defaults = {
    d: 40,
    weightDecay: 1e-5,
    attentionChannels: 8,
    heads: 5,
    globalReduction: 'sum',
    messageMemory: 2 ** 27,
  } as const;
  const resolved: ResolvedSettings = { ...defaults, ...settings };
  for (const count of ['nodeCount', 'edgeTypeCount', 'd', 'attentionChannels', 'heads'] as const) {
    const value = resolved[count];
    if (Number.isSafeInteger(value) && value >= 1) continue;
    throw new TensorError(where, 'option', `${count} must be a whole number ≥ 1, got ${value}`);
  }
  const { weightDecay, globalReduction, messageMemory } = resolved;
  if (!(Number.isFinite(weightDecay) && weightDecay >= 0)) {
    throw new TensorError(where, 'option', `weightDecay must be a finite number ≥ 0, got ${weightDecay}`);
  }
  if (!(messageMemory >= 0)) {
    throw new TensorError(
      where,
      'option',
      `messageMemory must be a number of bytes ≥ 0, got ${messageMemory}`,
    );
  }
  expectOneOf(where, 'globalReduction', globalReduction, globalReductions);
  return resolved;
}
