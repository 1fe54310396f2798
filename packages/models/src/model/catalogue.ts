/** The names of all models and their options, as plain data: whoever only names models does not load them. */
import { commonOptions, flowOptions, networkMessages, networkOptions, walkerOptions } from './options.ts';
import type { OptionDeclarations } from './options.ts';

const networks = {
  FullGN: { message: { options: networkMessages.FullGN }, hasGlobal: true },
  GGNN: { message: { options: networkMessages.GGNN } },
  GAT: { message: { options: networkMessages.GAT } },
} as const;

const ofNetwork = <Name extends keyof typeof networks>(name: Name) =>
  ({
    [name]: networkOptions(networks[name]),
    [`${name}-NoAct`]: flowOptions(networks[name]),
    [`${name}-Mul`]: flowOptions(networks[name]),
    [`${name}-MulMlp`]: flowOptions(networks[name]),
  }) as Record<Name | `${Name}-NoAct` | `${Name}-Mul` | `${Name}-MulMlp`, OptionDeclarations>;

const paper = {
  'RW-Stationary': flowOptions({}),
  'RW-Dynamic': flowOptions({ hasGlobal: true }),
  ...ofNetwork('FullGN'),
  ...ofNetwork('GGNN'),
  ...ofNetwork('GAT'),
};
const catalogue = { ...paper, Walker: { ...commonOptions, ...walkerOptions } };

/** The name of a model. */
export type ModelName = keyof typeof catalogue;
const names = Object.keys(catalogue) as ModelName[];
/** The names of all models, those of the paper first, in its order; at the end those of `addModel`. */
export const modelNames: readonly ModelName[] = names;
/** The names of the paper's models, in its order. */
export const paperModelNames = Object.keys(paper) as readonly (keyof typeof paper)[];

/** The file that a model of one's own came from, and the hash of its content. */
export interface ModelModule {
  readonly file: string;
  readonly sha256: string;
}

/** What is to know of a model of one's own, beside how it is built. */
interface OwnEntry {
  readonly options: OptionDeclarations;
  readonly asks: boolean;
  readonly module: ModelModule | undefined;
}
const own = new Map<string, OwnEntry>();

/** Makes a name known to whoever names models. */
export function addName(name: string, entry: OwnEntry): void {
  if (!own.has(name)) names.push(name as ModelName);
  own.set(name, entry);
}

/** Whether it is a name of this package, and not of `addModel`. */
export const isOurs = (name: string): boolean => Object.hasOwn(catalogue, name);

/** The file of a model that was added; undefined of others. */
export const moduleOf = (model: string): ModelModule | undefined => own.get(model)?.module;

/** The options of a model by name, with what each is. */
export const optionsOf = (model: ModelName): OptionDeclarations =>
  own.get(model)?.options ?? catalogue[model];

/** Whether examples may carry queries: of models with explicit flow, whose attention can stop. */
export const takesQueries = (model: ModelName): boolean =>
  own.get(model)?.asks ?? Object.hasOwn(catalogue[model], 'stopping');
