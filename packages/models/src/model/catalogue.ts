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
/** The names of all models, those of the paper first, in its order. */
export const modelNames = Object.keys(catalogue) as readonly ModelName[];
/** The names of the paper's models, in its order. */
export const paperModelNames = Object.keys(paper) as readonly (keyof typeof paper)[];

/** The options of a model by name, with what each is. */
export const optionsOf = (model: ModelName): OptionDeclarations => catalogue[model];

/** Whether examples may carry queries: of models with explicit flow, whose attention can stop. */
export const takesQueries = (model: ModelName): boolean => Object.hasOwn(catalogue[model], 'stopping');
