/** Independent numbers: a world, a batch, parameters, and what comes out. */
import { createGraph } from '@flowgrad/graph';
import type { Graph } from '@flowgrad/graph';
import { parameters } from '@flowgrad/nn';
import { assign, randomKey, scope, tensor } from '@flowgrad/tensor';
import { createModel, models } from '../model/registry.ts';
import type { ModelName } from '../model/catalogue.ts';
import type { Model, ModelOption } from '../model/model.ts';

export interface ParityFile {
  readonly model: ModelName;
  readonly nodes: number;
  readonly types: number;
  readonly steps: number;
  readonly d: number;
  readonly attentionChannels: number;
  readonly heads: number;
  readonly weightDecay: number;
  readonly senders: readonly number[];
  readonly receivers: readonly number[];
  readonly edgeTypes: readonly number[];
  readonly sources: readonly number[];
  readonly destinations: readonly number[];
  readonly parameters: Readonly<
    Record<string, { readonly shape: readonly number[]; readonly data: readonly number[] }>
  >;
  /** [examples][nodes] */
  readonly scores: readonly (readonly number[])[];
  /** [t][examples][nodes] */
  readonly attention: readonly (readonly (readonly number[])[])[] | null;
  readonly loss: number;
  readonly gradients: Readonly<Record<string, readonly number[]>>;
}

export const parityModels = [
  'RW-Dynamic',
  'FullGN-Mul',
  'GGNN',
  'GGNN-MulMlp',
  'GAT-NoAct',
] as const satisfies ModelName[];

export function graphOf(file: ParityFile): Graph {
  const { nodes, types, senders, receivers, edgeTypes } = file;
  return createGraph({ nodeCount: nodes, senders, receivers, edgeTypes, edgeTypeCount: types });
}

/** The model with the parameters of the file, which must have exactly these names and shapes. */
export function modelOf(file: ParityFile): Model {
  const { d, heads, attentionChannels, weightDecay } = file;
  const given: Partial<Record<ModelOption, number>> = { d, heads, attentionChannels, weightDecay };
  const known = models[file.model].options;
  const options = Object.fromEntries(
    Object.entries(given).filter(([name]) => known.includes(name as ModelOption)),
  );
  const model = createModel(file.model, {
    nodeCount: file.nodes,
    edgeTypeCount: file.types,
    key: randomKey(1),
    ...options,
  });
  const named = parameters(model);
  const shapes = (entries: Iterable<readonly [string, { readonly shape: readonly number[] }]>): string =>
    [...entries]
      .map(([name, { shape }]) => `${name} [${shape.join(', ')}]`)
      .sort()
      .join('\n');
  const [own, wanted] = [shapes(named), shapes(Object.entries(file.parameters))];
  if (own !== wanted) throw new Error(`parity ${file.model}: expected\n${wanted}\ngot\n${own}`);
  scope(() => {
    for (const [name, { shape, data }] of Object.entries(file.parameters)) {
      assign(named.get(name)!, tensor(Float64Array.from(data), { shape }));
    }
  });
  return model;
}
