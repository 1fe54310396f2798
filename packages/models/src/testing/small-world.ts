/** A small world with what is awkward in graphs, and every model on it. */
import { createGraph, withSelfLoops } from '@flowgrad/graph';
import type { Graph } from '@flowgrad/graph';
import { parameters } from '@flowgrad/nn';
import { add, assign, normal, randomKey, scope } from '@flowgrad/tensor';
import { createModel, models } from '../model/registry.ts';
import type { ModelName } from '../model/catalogue.ts';
import type { Model, ModelOption, ModelSettings } from '../model/model.ts';

/**
 * Two islands; node 6 is a dead end (only its self-loop leads out), node 7 has no edges but its self-loop; two edges
 * of different type join 0 and 1.
 */
export const smallWorld: Graph = withSelfLoops(
  createGraph({
    nodeCount: 8,
    senders: [0, 0, 1, 2, 2, 3, 1, 4, 5, 3],
    receivers: [1, 1, 2, 0, 3, 1, 3, 5, 4, 6],
    edgeTypes: [0, 1, 0, 1, 0, 1, 1, 0, 1, 0],
    edgeTypeCount: 2,
  }),
);

export const sizes = { d: 6, attentionChannels: 2, heads: 3, globalReduction: 'sum', memory: 3 } as const;

/** The model with all parameters away from their start values, so that no bias is 0. */
export function modelFor(
  name: ModelName,
  graph: Pick<Graph, 'nodeCount' | 'edgeTypeCount'>,
  { seed = 1, ...more }: { readonly seed?: number } & Partial<ModelSettings> = {},
): Model {
  const known = models[name].options;
  const options = Object.fromEntries(
    Object.entries(sizes).filter(([option]) => known.includes(option as ModelOption)),
  );
  const { nodeCount, edgeTypeCount } = graph;
  const key = randomKey(seed);
  const model = createModel(name, { nodeCount, edgeTypeCount, key, ...options, ...more });
  scope(() => {
    for (const [parameter, tensor] of parameters(model)) {
      const noise = normal(key.child('noise').child(parameter), tensor.shape, { standardDeviation: 0.4 });
      assign(tensor, add(tensor, noise));
    }
  });
  return model;
}
