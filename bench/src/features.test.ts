/** Models over features of a grid world: here, as no library may import both. */
import { createConePlanner, withSelfLoops } from '@flowgrad/graph';
import { fourierFeatures, generateDataset, SELF_LOOP_TYPE } from '@flowgrad/gridworld';
import { createModel } from '@flowgrad/models';
import { createAdam, disposeModule, parameters } from '@flowgrad/nn';
import {
  memory,
  randomKey,
  referenceBackend,
  scope,
  setBackend,
  tensor,
  valueAndGrad,
} from '@flowgrad/tensor';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

beforeAll(() => void setBackend(referenceBackend()));
afterAll(() => void setBackend(undefined));

const dataset = generateDataset('LOCATION-SZ8-STP4-NDRP-STD0.2', { seed: 1 });
const { map } = dataset;
const graph = withSelfLoops(map.graph, { edgeType: SELF_LOOP_TYPE });
const { nodeCount, edgeTypeCount } = graph;
const { sources, destinations } = dataset.examples.train;

describe.each(['RW-Stationary', 'GGNN', 'GGNN-MulMlp'] as const)('%s on a LOCATION world', (name) => {
  it.each([
    ['alone', false],
    ['added to embeddings', true],
  ])('learns from Fourier features %s', async (_, embeddings) => {
    const before = memory();
    const features = tensor(fourierFeatures(map, { frequencies: 2 }), { shape: [nodeCount, 8] });
    const inputs = { features, embeddings };
    const model = createModel(name, { nodeCount, edgeTypeCount, key: randomKey(1), d: 10, inputs });
    const planner = createConePlanner(graph, { steps: 4, kind: model.kind });
    const adam = createAdam(parameters(model), { learningRate: 0.02 });
    const batch = { sources: sources.slice(0, 8), destinations: destinations.slice(0, 8), lossOnly: true };
    const losses: number[] = [];
    for (let step = 0; step < 10; step++) {
      const loss = scope(() => {
        const plan = planner.plan(batch);
        const { value, grads } = valueAndGrad(() => model.loss(plan));
        adam.apply(grads);
        return value;
      });
      losses.push(await loss.item());
      loss.dispose();
    }
    expect(losses.at(-1)).toBeLessThan(0.8 * losses[0]);
    adam.dispose();
    planner.dispose();
    disposeModule(model);
    features.dispose();
    expect(memory(), 'live buffers').toEqual(before);
  });
});
