import { createDensePlanner } from '@flowgrad/graph';
import { parameters } from '@flowgrad/nn';
import { matmul, normal, randomKey, tanh, valueAndGrad } from '@flowgrad/tensor';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { describe, expect, it } from 'vitest';
import { relativeError } from '../testing/relative-error.ts';
import { modelFor, smallWorld } from '../testing/small-world.ts';
import { createNodeInputs } from './node-inputs.ts';

useReference({ precision: 'float64' });

const size = { nodeCount: 8, d: 6, key: randomKey(3) };

describe('node inputs', () => {
  it('are free embeddings unless features are given', async () => {
    const inputs = createNodeInputs(size);
    expect([...parameters(inputs.modules).keys()]).toEqual(['u']);
    const u = await inputs.nodes().data();
    expect(Math.max(...u.map(Math.abs))).toBeLessThanOrEqual(0.02);
    const squares = Array.from(u).reduce((total, value) => total + value * value, 0);
    expect(await inputs.squaredNorm()!.item()).toBeCloseTo(squares, 14);
  });

  it('are what a small network makes of features, and nothing decays', async () => {
    const features = normal(randomKey(4), [8, 5]);
    const inputs = createNodeInputs(size, { features, hidden: 7, embeddings: false });
    const named = parameters(inputs.modules);
    expect([...named].map(([name, { shape }]) => [name, ...shape])).toEqual([
      ['features.hidden.w', 5, 7],
      ['features.hidden.b', 7],
      ['features.output.w', 7, 6],
      ['features.output.b', 6],
    ]);
    // Biases start at 0.
    const [first, second] = [named.get('features.hidden.w')!, named.get('features.output.w')!];
    const expected = matmul(tanh(matmul(features, first)), second);
    expect(relativeError(await inputs.nodes().data(), await expected.data())).toBeLessThan(1e-14);
    expect(inputs.squaredNorm()).toBe(undefined);
  });

  it('are both added', async () => {
    const features = normal(randomKey(4), [8, 5]);
    const both = createNodeInputs(size, { features });
    const alone = createNodeInputs(size, { features, embeddings: false });
    const [sum, made, u] = await Promise.all(
      [both.nodes(), alone.nodes(), createNodeInputs(size).nodes()].map((x) => x.data()),
    );
    expect(
      relativeError(
        sum,
        made.map((value, i) => value + u[i]),
      ),
    ).toBeLessThan(1e-14);
  });

  it.each(['RW-Stationary', 'GGNN', 'GAT-MulMlp'] as const)('train in %s', async (name) => {
    const features = normal(randomKey(4), [8, 5]);
    const model = modelFor(name, smallWorld, { inputs: { features } });
    const planner = createDensePlanner(smallWorld, { steps: 2, kind: model.kind });
    const plan = planner.plan({ sources: [0], destinations: [1] });
    const named = parameters(model);
    const { grads } = valueAndGrad(() => model.loss(plan));
    for (const parameter of ['u', 'features.hidden.w', 'features.output.b']) {
      const gradient = await grads.get(named.get(parameter)!)!.data();
      expect(Math.max(...gradient.map(Math.abs)), parameter).toBeGreaterThan(1e-6);
    }
    planner.dispose();
  });
});
