import { importTriples, readDataset, writeDataset } from '@flowgrad/data';
import type { Dataset } from '@flowgrad/data';
import { generateDataset } from '@flowgrad/gridworld';
import { parameters } from '@flowgrad/nn';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { describe, expect, it } from 'vitest';
import { reproduceCommand } from '../report/reproduce-command.ts';
import { evaluateSplit } from '../training/evaluate.ts';
import { createTrainer } from '../training/trainer.ts';
import { cardOf } from './dataset-card.ts';
import { resolveRun, variantName, worldName } from './run-config.ts';

useReference();

const group = 'SINE-SZ5-STP3-NDRP-STD0.3';
const sha256 = 'ab'.repeat(32);

/** A grid world, as a folder of tables would give it. */
async function asTables(more: object = {}): Promise<Dataset> {
  const files = writeDataset(generateDataset(group, { seed: 1 }));
  const dataset = await readDataset((file) => {
    const text = files[file];
    return text === undefined ? undefined : [Buffer.from(text)];
  });
  return { ...dataset, sha256, ...more };
}

describe('a run on a dataset', () => {
  it('gives the same bits as one on the grid world that the dataset is of', async () => {
    const dataset = await asTables();
    const settings = { model: 'GGNN-MulMlp', options: { d: 4 }, batch: 8, learningRates: [0.02] } as const;
    const trained = async (trainer: ReturnType<typeof createTrainer>): Promise<unknown> => {
      const losses = [(await trainer.step()).loss, (await trainer.step()).loss];
      const values = await Promise.all([...parameters(trainer.model).values()].map((each) => each.data()));
      const metrics = await evaluateSplit(trainer, 'test');
      trainer.dispose();
      return { losses, values, metrics };
    };
    const onData = createTrainer({ group: cardOf(dataset), ...settings }, { dataset });
    expect(await trained(onData)).toEqual(await trained(createTrainer({ group, ...settings })));
  });

  it('is tied to the content of the files', async () => {
    const dataset = await asTables();
    const run = { group: cardOf(dataset), model: 'RW-Stationary', options: { d: 4 } } as const;
    expect(() => createTrainer(run)).toThrow(
      `run: expected the dataset ${group} (SHA-256 abababababab…), got none (--data <folder> names it)`,
    );
    const other = await asTables({ sha256: 'cd'.repeat(32) });
    expect(() => createTrainer(run, { dataset: other })).toThrow(
      '(SHA-256 cdcdcdcdcdcd…), whose files differ',
    );
    expect(() => cardOf(generateDataset(group, { seed: 1 }))).toThrow(
      'expected a dataset with the hash of its files',
    );
  });

  it('has a name, a variant and a command that repeats it', async () => {
    const config = resolveRun({ group: cardOf(await asTables()), model: 'Walker', epochs: 3 });
    expect([worldName(config), variantName(config)]).toEqual([group, 'Walker+epochs=3']);
    expect(reproduceCommand(config)).toBe(
      `flowgrad train --data data/${group} --model Walker --seed 1 --shuffling 1 --epochs 3`,
    );
    expect(resolveRun(JSON.parse(JSON.stringify(config)) as typeof config)).toEqual(config);
  });

  it('takes what is known of the nodes as features', async () => {
    const plain = await asTables();
    const features = { width: 2, values: new Float32Array(2 * plain.graph.nodeCount) };
    const dataset: Dataset = { ...plain, features };
    const trainer = createTrainer(
      { group: cardOf(dataset), model: 'GGNN', options: { d: 4, attentionChannels: 2 } },
      { dataset },
    );
    expect([...parameters(trainer.model).keys()]).toContain('features.hidden.w');
    trainer.dispose();
  });

  it('needs no free embeddings where something is known of the nodes, and needs them elsewhere', async () => {
    const plain = await asTables();
    const features = { width: 2, values: new Float32Array(2 * plain.graph.nodeCount) };
    const settings = { group: cardOf(plain), model: 'GAT', features: { embeddings: false } } as const;
    const trainer = createTrainer(settings, { dataset: { ...plain, features } });
    const names = [...parameters(trainer.model).keys()];
    expect(names).toContain('features.hidden.w');
    expect(names).not.toContain('u');
    expect(variantName(trainer.config)).toBe('GAT+columnsonly');
    expect(reproduceCommand(trainer.config)).toContain(' --embeddings false');
    trainer.dispose();
    expect(() => createTrainer(settings, { dataset: plain })).toThrow(
      `nodes apart, got none in the dataset ${group}`,
    );
    const usual = { ...settings, features: { embeddings: true } };
    expect(resolveRun(usual)).toEqual(resolveRun({ group: settings.group, model: 'GAT' }));
  });

  it('learns an encoding of each node with Walker, where nothing is known of them', async () => {
    const dataset = await asTables();
    const trainer = createTrainer(
      { group: cardOf(dataset), model: 'Walker', options: { d: 8 }, epochs: 20, learningRates: [0.03] },
      { dataset },
    );
    const { u } = Object.fromEntries(parameters(trainer.model));
    expect(u.shape).toEqual([dataset.graph.nodeCount, 8]);
    const losses: number[] = [];
    while (!trainer.isDone) {
      const { epochLoss } = await trainer.step();
      if (epochLoss !== undefined) losses.push(epochLoss);
    }
    expect(losses.at(-1)).toBeLessThan(losses[0] / 2);
    trainer.dispose();
  });

  it('has no features of coordinates', async () => {
    const card = cardOf(await asTables());
    expect(() => resolveRun({ group: card, model: 'GGNN', features: { frequencies: 2 } })).toThrow(
      `run: features.frequencies: expected a grid world, whose nodes have coordinates, got the dataset ${group} (features of its nodes are the columns of nodes.tsv`,
    );
    expect(() => resolveRun({ group: { ...card, sha256: 'x' }, model: 'GGNN' })).toThrow(
      'expected sha256 to be a SHA-256',
    );
  });
});

describe('a run on triples', () => {
  const lines = (texts: readonly string[]): Uint8Array[] => [
    Buffer.from(texts.map((text) => `${text.replaceAll(' ', '\t')}\n`).join('')),
  ];
  const family = ['ann', 'bob', 'cid', 'dot', 'eve'].flatMap((name, i, all) => [
    `${name} next ${all[(i + 1) % 5]}`,
    `${name} after ${all[(i + 2) % 5]}`,
  ]);
  const triples = (): Promise<Dataset> =>
    importTriples(
      [
        { name: 'train', chunks: lines(family.slice(0, 8)) },
        { name: 'valid', chunks: lines(family.slice(8, 9)) },
        { name: 'test', chunks: lines(family.slice(9)) },
      ],
      { name: 'family', steps: 2 },
    ).then(({ dataset }) => ({ ...dataset, sha256 }));

  it('asks each example its query, and hides the edge that is asked for and its inverse', async () => {
    const dataset = await triples();
    const trainer = createTrainer(
      { group: cardOf(dataset), model: 'RW-Stationary', options: { d: 4 } },
      { dataset },
    );
    const { planner } = trainer as { planner: { plan: typeof trainer.planner.plan } };
    const { plan } = planner;
    const batches: Parameters<typeof plan>[0][] = [];
    planner.plan = (batch) => {
      batches.push(batch);
      return plan(batch);
    };
    await trainer.step();
    await evaluateSplit(trainer, 'test');
    const [trained, asked] = batches;
    expect(trained.queries!.length).toBe(8);
    for (const [example, edges] of trained.hidden!.entries()) {
      const [source, destination] = [trained.sources[example], trained.destinations![example]];
      expect(edges.length).toBe(2);
      expect([dataset.graph.senders[edges[0]], dataset.graph.receivers[edges[0]]]).toEqual([
        source,
        destination,
      ]);
      expect([dataset.graph.senders[edges[1]], dataset.graph.receivers[edges[1]]]).toEqual([
        destination,
        source,
      ]);
      expect(dataset.graph.edgeTypes[edges[0]]).toBe(trained.queries![example]);
    }
    expect([asked.queries!.length, asked.hidden]).toEqual([1, undefined]);
    trainer.dispose();
  });

  it('is refused to models that take no queries', async () => {
    const card = cardOf(await triples());
    expect(() => resolveRun({ group: card, model: 'GGNN' })).toThrow(
      /^run: model: expected a model that takes queries for family, got GGNN \(RW-Stationary, [^()]*, GAT-MulMlp do\)$/,
    );
  });
});
