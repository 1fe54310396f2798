import { createDensePlanner } from '@flowgrad/graph';
import { disposeModule, parameters } from '@flowgrad/nn';
import { memory, randomKey, scope, zeros } from '@flowgrad/tensor';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { describe, expect, it } from 'vitest';
import { modelFor, smallWorld } from '../testing/small-world.ts';
import type { Model, ModelSettings } from './model.ts';
import { modelNames, optionsOf, paperModelNames } from './catalogue.ts';
import { createModel, models } from './registry.ts';
import type { ModelName } from './catalogue.ts';

useReference({ precision: 'float64' });

const settings = { nodeCount: 8, edgeTypeCount: 3, key: randomKey(1) };
const shapesOf = (name: ModelName, more: Partial<ModelSettings> = {}): Record<string, readonly number[]> =>
  Object.fromEntries(
    [...parameters(createModel(name, { ...settings, ...more }))].map(([parameter, { shape }]) => [
      parameter,
      shape,
    ]),
  );

describe('the registry', () => {
  it('has the fourteen models of the paper', () => {
    const networks = ['FullGN', 'GGNN', 'GAT'].flatMap((network) =>
      ['', '-NoAct', '-Mul', '-MulMlp'].map((acting) => network + acting),
    );
    expect(paperModelNames).toEqual(['RW-Stationary', 'RW-Dynamic', ...networks]);
    expect(modelNames).toEqual([...paperModelNames, 'Walker']);
    for (const name of modelNames) {
      expect(models[name].name).toBe(name);
      const known = models[name].options.filter((option) => option !== 'inputs');
      expect(Object.keys(optionsOf(name)).sort()).toEqual([...known].sort());
    }
  });

  it('lists the choices for a name it does not know', () => {
    expect(() => createModel('GNN' as ModelName, settings)).toThrow(
      /^createModel: expected model among RW-Stationary, RW-Dynamic, FullGN, FullGN-NoAct, .*, got 'GNN' \(did you mean GGNN\?\)$/,
    );
    expect(() => createModel('toString' as ModelName, settings)).toThrow(
      /expected model among .*, got 'toString'/,
    );
  });

  it('refuses options that a model does not have, and lists those it has', () => {
    expect(() => createModel('GGNN', { ...settings, heads: 5 })).toThrow(
      "createModel('GGNN'): expected options among nodeCount, edgeTypeCount, key, d, weightDecay, inputs, " +
        "messageMemory, attentionChannels, got 'heads'",
    );
    expect(() => createModel('GAT-Mul', { ...settings, attentionChannels: 4 })).toThrow(
      /expected options among .*, got 'attentionChannels'/,
    );
  });

  it('refuses values that make no sense', () => {
    const refuse = (name: ModelName, more: object, message: string | RegExp): void => {
      expect(() => createModel(name, { ...settings, ...more })).toThrow(message);
    };
    refuse('GGNN', { d: 0 }, 'createModel: d must be a whole number ≥ 1, got 0');
    refuse('GGNN', { d: 8 }, 'createModel: expected fewer attentionChannels than d = 8, got 8');
    refuse('GAT', { heads: 3 }, 'createModel: expected heads that divide d evenly, got 3 for 40');
    refuse('GGNN', { weightDecay: -1 }, 'createModel: weightDecay must be a finite number ≥ 0, got -1');
    refuse('GAT', { messageMemory: -1 }, 'createModel: messageMemory must be a number of bytes ≥ 0, got -1');
    refuse('RW-Dynamic', { messageMemory: 1 }, /expected options among .*, got 'messageMemory'/);
    refuse(
      'RW-Dynamic',
      { globalReduction: 'max' },
      "createModel: expected globalReduction among sum, mean, got 'max'",
    );
    refuse(
      'GGNN',
      { inputs: { features: zeros([7, 2]) } },
      'features must have shape [8, width], got [7, 2]',
    );
    refuse(
      'GGNN',
      { inputs: { features: zeros([8, 2]), embedding: true } },
      "createModel('GGNN').inputs: expected options among features, hidden, embeddings, got 'embedding'",
    );
  });

  it('makes models of the sizes of the paper unless told otherwise', () => {
    expect(shapesOf('GAT')).toEqual({
      u: [8, 40],
      'init.w': [40, 32],
      'init.b': [32],
      'msg.w': [5, 3, 40, 8],
      'msg.a': [5, 3, 16, 1],
      'gru.gate.w': [120, 80],
      'gru.gate.b': [80],
      'gru.cand.w': [120, 40],
      'gru.cand.b': [40],
    });
    expect(shapesOf('FullGN-MulMlp', { d: 10 })).toEqual({
      u: [8, 10],
      'init.w': [10, 10],
      'init.b': [10],
      'trans.w': [3, 30, 1],
      'trans.b': [3, 1],
      'msg.w': [3, 30, 10],
      'msg.b': [3, 10],
      'attend.w': [10, 10],
      'attend.b': [10],
      'node.w': [40, 10],
      'node.b': [10],
      'global.w': [30, 10],
      'global.b': [10],
    });
    expect(shapesOf('RW-Stationary', { d: 10 })).toEqual({
      u: [8, 10],
      'trans.w': [3, 30, 1],
      'trans.b': [3, 1],
    });
    expect(shapesOf('GAT-MulMlp', { d: 10 })['attend.w']).toEqual([2, 2]);
  });

  it('starts GAT’s kernels within Glorot’s limit for a stack of edge types', async () => {
    const model = parameters(createModel('GAT', { ...settings, d: 40 }));
    const largest = async (name: string): Promise<number> =>
      Math.max(...(await model.get(name)!.data()).map(Math.abs));
    const limit = (width: number, out: number): number => Math.sqrt(6 / (3 * (width + out)));
    expect(await largest('msg.w')).toBeLessThanOrEqual(limit(40, 8));
    expect(await largest('msg.w')).toBeGreaterThan(0.98 * limit(40, 8));
    expect(await largest('msg.a')).toBeLessThanOrEqual(limit(16, 1));
  });

  it('starts models alike from the same key, and otherwise from another', async () => {
    const first = async (seed: number): Promise<unknown> =>
      parameters(createModel('GAT', { ...settings, key: randomKey(seed) }))
        .get('msg.w')!
        .data();
    expect(await first(1)).toEqual(await first(1));
    expect(await first(1)).not.toEqual(await first(2));
  });
});

describe('a model', () => {
  it.each(modelNames)('%s is kept by the scope that returns it, and leaves nothing when freed', (name) => {
    const before = memory();
    const model = scope(() => createModel(name, settings));
    expect([...parameters(model).values()].some((p) => p.disposed)).toBe(false);
    disposeModule(model);
    expect(memory()).toEqual(before);
  });

  it('asks for the right plan', () => {
    const model = modelFor('GGNN-Mul', smallWorld);
    const other = createDensePlanner(smallWorld, { steps: 2, kind: modelFor('GAT', smallWorld).kind });
    const own = createDensePlanner(smallWorld, { steps: 2, kind: model.kind });
    expect(() => model.forward(other.plan({ sources: [0] }))).toThrow(
      'forward: expected a plan of kind { flow, acts, reads sender } for GGNN-Mul, ' +
        'got { mark, reads siblings } (give the planner model.kind)',
    );
    expect(() => model.loss(own.plan({ sources: [0] }))).toThrow(
      'loss: expected a plan with destinations, got none (plan({ sources, destinations }))',
    );
    other.dispose();
    own.dispose();
  });

  it.each(['GGNN-Mul', 'GGNN'] as const)(
    '%s made for another graph is refused by the name of the option',
    (name) => {
      const { nodeCount, edgeTypeCount } = smallWorld;
      const model = modelFor(name, smallWorld);
      const planner = createDensePlanner(smallWorld, { steps: 2, kind: model.kind });
      const plan = planner.plan({ sources: [0], destinations: [1] });
      const other = (more: object): Model =>
        createModel(name, { ...settings, nodeCount, edgeTypeCount, ...more });
      expect(() => other({ nodeCount: nodeCount + 1 }).loss(plan)).toThrow(
        `loss: expected a plan of a graph with nodeCount ${nodeCount + 1}, as ${name} was made for, got ${nodeCount} ` +
          '(make the model with nodeCount: graph.nodeCount of the graph that the planner has)',
      );
      expect(() => other({ edgeTypeCount: edgeTypeCount + 2 }).forward(plan)).toThrow(
        `forward: expected a plan of a graph with edgeTypeCount ${edgeTypeCount + 2}, as ${name} was made for, got ${edgeTypeCount} ` +
          '(make the model with edgeTypeCount: graph.edgeTypeCount of the graph that the planner has)',
      );
      expect(other({}).loss(plan).shape).toEqual([]);
      planner.dispose();
    },
  );

  it('has flows only where attention flows', () => {
    const model = modelFor('GGNN', smallWorld);
    const planner = createDensePlanner(smallWorld, { steps: 2, kind: model.kind });
    expect(() => model.forward(planner.plan({ sources: [0] }), { flows: true })).toThrow(
      'forward: expected no flows, as GGNN has no explicit flow, got flows: true',
    );
    planner.dispose();
  });
});
