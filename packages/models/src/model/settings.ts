import { expectOneOf, RandomKey, rejectUnknownOptions, TensorError } from '@flowgrad/tensor';
import type { ModelSettings } from './model.ts';
import { commonOptions, modelOptions, suitsWidth } from './options.ts';
import type { OptionDeclarations } from './options.ts';

/** Settings with every default filled in. */
export type ResolvedSettings = Required<Omit<ModelSettings, 'inputs'>> & Pick<ModelSettings, 'inputs'>;

const where = 'createModel';
const counts: OptionDeclarations = {
  nodeCount: { kind: 'integer', least: 1, default: 1, about: '' },
  edgeTypeCount: { kind: 'integer', least: 1, default: 1, about: '' },
  queryCount: { kind: 'integer', least: 0, default: 0, about: '' },
};
const words = { integer: 'a whole number', number: 'a finite number', bytes: 'a number of bytes' };

/** The names of all that a model with these options can be given. */
export const namesOf = (options: OptionDeclarations): readonly string[] => [
  ...Object.keys(commonOptions),
  'inputs',
  ...Object.keys(options).filter((name) => !Object.hasOwn(commonOptions, name)),
];

/** Checks settings against the options that a model takes. */
export function resolveSettings(
  name: string,
  options: OptionDeclarations,
  settings: ModelSettings,
  { asks }: { readonly asks: boolean },
): ResolvedSettings {
  rejectUnknownOptions(`${where}('${name}')`, settings, [
    ...Object.keys(counts).filter((count) => asks || count !== 'queryCount'),
    'key',
    ...namesOf(options),
  ]);
  if (!(settings.key instanceof RandomKey)) {
    throw new TensorError(
      where,
      'option',
      `expected key to be a random key, got ${String(settings.key)} (key: randomKey(1))`,
    );
  }
  if (settings.inputs) {
    rejectUnknownOptions(`${where}('${name}').inputs`, settings.inputs, ['features', 'hidden', 'embeddings']);
  }
  const declared: OptionDeclarations = { ...modelOptions, ...options };
  const defaults = Object.entries(declared).map(([option, declaration]) => [option, declaration.default]);
  const resolved = { queryCount: 0, ...Object.fromEntries(defaults), ...settings } as ResolvedSettings;
  for (const [option, declaration] of Object.entries({ ...counts, ...declared })) {
    const value: unknown = resolved[option as keyof ResolvedSettings];
    if (declaration.kind === 'choice') {
      expectOneOf(where, option, value as string, declaration.choices);
      continue;
    }
    const { kind, least, most = Infinity } = declaration;
    // Without a bound on memory, messages are always kept.
    const isKind = { integer: Number.isSafeInteger, number: Number.isFinite, bytes: isNumber }[kind];
    if (isKind(value) && (value as number) >= least && (value as number) <= most) continue;
    throw new TensorError(
      where,
      'option',
      `${option} must be ${words[kind]} ${most < Infinity ? `in ${least}..${most}` : `≥ ${least}`}, got ${String(value)}`,
    );
  }
  for (const [option, declaration] of Object.entries(options)) {
    const value = resolved[option as keyof ResolvedSettings] as number;
    const { d } = resolved;
    if (declaration.kind === 'choice' || suitsWidth(declaration, value, d)) continue;
    const wanted = declaration.dividesD ? `${option} that divide d evenly` : `fewer ${option} than d = ${d}`;
    throw new TensorError(
      where,
      'option',
      `expected ${wanted}, got ${value}${declaration.dividesD ? ` for ${d}` : ''}`,
    );
  }
  return resolved;
}

const isNumber = (value: unknown): boolean => typeof value === 'number';
