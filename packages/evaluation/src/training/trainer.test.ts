import { importTriples, SPLIT_NAMES } from '@flowgrad/data';
import { hopsFrom } from '@flowgrad/graph';
import { decodeSafetensors, parameters } from '@flowgrad/nn';
import { memory, scope } from '@flowgrad/tensor';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { describe, expect, it } from 'vitest';
import { cardOf } from '../run/dataset-card.ts';
import { smallRun } from '../testing/small-run.ts';
import { stepsDone } from './checkpoint.ts';
import { createTrainer } from './trainer.ts';
import type { Trainer } from './trainer.ts';
import { training } from './training.ts';
import type { TrainingEvent } from './training.ts';

useReference();

const values = async ({ model }: Trainer): Promise<ArrayLike<number>[]> =>
  Promise.all([...parameters(model).values()].map((each) => each.data()));

/** Wraps a planner so that the batches it is asked for can be looked at. */
function recordBatches(trainer: Trainer): [source: number, destination: number][][] {
  const batches: [number, number][][] = [];
  const { planner } = trainer as { planner: { plan: Trainer['planner']['plan'] } };
  const { plan } = planner;
  planner.plan = (batch) => {
    if (batch.destinations) {
      batches.push(Array.from(batch.sources, (source, i) => [source, batch.destinations![i]]));
    }
    return plan(batch);
  };
  return batches;
}

describe('a trainer', () => {
  it('visits every example once per epoch, the last short batch included, in another order each time', async () => {
    const trainer = createTrainer(smallRun);
    const batches = recordBatches(trainer);
    const { sources, destinations, count } = trainer.dataset.examples.train;
    const { stepsPerEpoch } = trainer;
    expect(count % smallRun.batch).not.toBe(0);
    for (let i = 0; i < 2 * stepsPerEpoch; i++) await trainer.step();
    const epochs = [batches.slice(0, stepsPerEpoch).flat(), batches.slice(stepsPerEpoch).flat()];
    const all = Array.from(sources, (source, i) => `${source} ${destinations[i]}`).sort();
    for (const epoch of epochs) expect(epoch.map((pair) => pair.join(' ')).sort()).toEqual(all);
    expect(epochs[0]).not.toEqual(epochs[1]);
    expect(batches[0]).toHaveLength(smallRun.batch);
    expect(batches[stepsPerEpoch - 1]).toHaveLength(count % smallRun.batch);
    trainer.dispose();
  });

  it('warns of training pairs whose destination attention cannot reach, if attention flows', () => {
    const trainer = createTrainer(smallRun);
    expect(trainer.warnings()).toEqual([]);
    const { dataset } = trainer;
    const hasty = { ...dataset, steps: 1 };
    const [flowing, marked] = (['GGNN-MulMlp', 'GGNN'] as const).map((model) =>
      createTrainer(
        {
          ...smallRun,
          model,
          options: { ...smallRun.options, ...(model === 'GGNN' && { attentionChannels: 2 }) },
        },
        { dataset: hasty },
      ),
    );
    const { sources, destinations } = dataset.examples.train;
    const near = sources.filter((source, i) => hopsFrom(trainer.graph, source)[destinations[i]] <= 1).length;
    expect(near).toBeLessThan(sources.length);
    expect(flowing.warnings()).toEqual([
      expect.stringContaining(
        `${sources.length - near} of ${sources.length} training pairs have a destination that no attention can be at after 1 step:`,
      ),
    ]);
    expect(marked.warnings()).toEqual([]);
    for (const each of [trainer, flowing, marked]) each.dispose();
  });

  it('warns of training pairs that are out of reach once the asked edge and its inverse are hidden', async () => {
    // A ring of eight: with its own edge hidden, the way to the next node is seven steps long. To n0 and n2 there are two ways.
    const ring = Array.from({ length: 8 }, (_, i) => `n${i}\tnext\tn${(i + 1) % 8}`);
    const texts = [[...ring, 'n0\tskip\tn2'], ['n0\tskip\tn1'], ['n1\tskip\tn3']];
    const files = texts.map((lines, i) => ({ name: `${i}.txt`, chunks: [Buffer.from(lines.join('\n'))] }));
    const { dataset: made } = await importTriples(files, { name: 'ring', steps: 2 });
    const dataset = { ...made, sha256: 'ab'.repeat(32) };
    const trainer = createTrainer({ ...smallRun, group: cardOf(dataset) }, { dataset });
    // Whether a pair can be learnt: its destination has attention in the plan that it is trained with.
    const { sources, destinations, queries, hiddenEdges } = dataset.examples.train;
    const unlearnt: number[] = [];
    for (let i = 0; i < sources.length; i++) {
      const batch = {
        ...{ sources: [sources[i]], destinations: [destinations[i]], queries: [queries![i]] },
        hidden: [hiddenEdges!(i)],
      };
      const lossOf = (): Promise<number> =>
        trainer.model.loss(trainer.planner.plan(batch), { weightDecay: false }).item();
      const loss = await scope(lossOf);
      if (loss > 10) unlearnt.push(i);
    }
    expect(unlearnt.length).toBeGreaterThan(3);
    expect(unlearnt.length).toBeLessThan(9);
    expect(trainer.warnings()).toEqual([
      expect.stringMatching(
        new RegExp(
          `^${unlearnt.length} of 9 training pairs have a destination that no attention can be at after 2 steps, ` +
            `${unlearnt.length} of them because of .* numbers ${unlearnt.slice(0, 5).join(', ')}`,
        ),
      ),
    ]);
    trainer.dispose();
  });

  it('tells the mean loss of an epoch with its last step', async () => {
    const trainer = createTrainer(smallRun);
    const losses: number[] = [];
    for (let i = 1; i < trainer.stepsPerEpoch; i++) {
      const { loss, epoch } = await trainer.step();
      expect(epoch).toBeUndefined();
      losses.push(loss);
    }
    const last = await trainer.step();
    losses.push(last.loss);
    expect(last.epoch).toBe(1);
    expect(last.epochLoss).toBeCloseTo(losses.reduce((a, b) => a + b) / losses.length, 12);
    expect(trainer.position).toEqual({ epoch: 1, losses: [] });
    trainer.dispose();
  });

  it('lowers the learning rate at equal parts of the run', () => {
    const trainer = createTrainer({ ...smallRun, epochs: 5 });
    expect([0, 1, 2, 3, 4].map(trainer.learningRateOf)).toEqual([0.02, 0.02, 0.02, 0.01, 0.01]);
    trainer.dispose();
  });

  it.for([
    ...[1, 2, 5, 9].map((steps) => ({ steps, averaging: 0, layerDecay: 0 })),
    ...[1, 5].map((steps) => ({ steps, averaging: 0.9, layerDecay: 0 })),
    { steps: 5, averaging: 0.9, layerDecay: 0.5 },
  ])(
    'goes on from a checkpoint after $steps steps as if it had never stopped, averaging $averaging, decay $layerDecay',
    async ({ steps, averaging, layerDecay }) => {
      const run = { ...smallRun, averaging, layerDecay };
      const whole = createTrainer(run);
      for (let i = 0; i < 12; i++) await whole.step();

      const first = createTrainer(run);
      for (let i = 0; i < steps; i++) await first.step();
      const checkpoint = await first.save();
      first.dispose();
      const second = createTrainer(run);
      second.load(checkpoint);
      expect(stepsDone(second.position, second.stepsPerEpoch)).toBe(steps);
      for (let i = steps; i < 12; i++) await second.step();
      expect(second.position).toEqual(whole.position);
      expect(await values(second)).toEqual(await values(whole));
      whole.dispose();
      second.dispose();
    },
  );

  it('goes on with the batch at which a step failed, and frees what it planned ahead', async () => {
    const before = memory();
    const [whole, failing] = [createTrainer(smallRun), createTrainer(smallRun)];
    for (let i = 0; i < 4; i++) await whole.step();
    for (let i = 0; i < 2; i++) await failing.step();
    const { adam } = failing as { adam: { apply: Trainer['adam']['apply'] } };
    const { apply } = adam;
    adam.apply = () => {
      throw new Error('no memory');
    };
    await expect(failing.step()).rejects.toThrow('no memory');
    adam.apply = apply;
    for (let i = 2; i < 4; i++) await failing.step();
    expect(failing.position).toEqual(whole.position);
    expect(await values(failing)).toEqual(await values(whole));
    whole.dispose();
    failing.dispose();
    expect(memory()).toEqual(before);
  });

  it('is asked as the running mean of what it trains, where that is asked for', async () => {
    const [plain, averaged] = [createTrainer(smallRun), createTrainer({ ...smallRun, averaging: 0.15 })];
    let expected: number[] = [];
    for (let step = 1; step <= 5; step++) {
      await plain.step();
      await averaged.step();
      const beta = Math.min(0.15, (step - 1) / (step + 9));
      const now = (await values(plain)).flatMap((each) => Array.from(each));
      expected = now.map((value, i) => (beta > 0 ? beta * expected[i] : 0) + (1 - beta) * value);
    }
    const means = (await values(averaged)).flatMap((each) => Array.from(each));
    expect(Math.max(...means.map((value, i) => Math.abs(value - expected[i])))).toBeLessThan(1e-6);
    expect(plain.position).toEqual(averaged.position);
    plain.dispose();
    averaged.dispose();
  });

  it('shrinks the weights of layers, and neither biases nor embeddings, where that is asked for', async () => {
    const [plain, decayed] = [createTrainer(smallRun), createTrainer({ ...smallRun, layerDecay: 0.5 })];
    const before = await values(plain);
    for (const each of [plain, decayed]) await each.step();
    const [after, shrunk] = [await values(plain), await values(decayed)];
    const rate = plain.learningRateOf(0) * 0.5;
    for (const [i, name] of [...parameters(plain.model).keys()].entries()) {
      const taken = name.endsWith('.w') ? rate : 0;
      const expected = Array.from(after[i], (value, k) => value - taken * before[i][k]);
      expect(Math.max(...expected.map((value, k) => Math.abs(value - shrunk[i][k])))).toBeLessThan(1e-7);
    }
    expect([...parameters(plain.model).keys()]).toEqual(expect.arrayContaining(['u', 'msg.w', 'msg.b']));
    for (const each of [plain, decayed]) each.dispose();
  });

  it('starts from other values and in another order with another shuffling, on the same data', async () => {
    const [one, other] = [createTrainer(smallRun), createTrainer({ ...smallRun, shuffling: 2 })];
    const pairsOf = ({ dataset }: Trainer): Int32Array[] =>
      SPLIT_NAMES.flatMap((split) => [dataset.examples[split].sources, dataset.examples[split].destinations]);
    expect(pairsOf(other)).toEqual(pairsOf(one));
    expect(await values(other)).not.toEqual(await values(one));
    const batches = [recordBatches(one), recordBatches(other)];
    await one.step();
    await other.step();
    expect(batches[0]).not.toEqual(batches[1]);
    one.dispose();
    other.dispose();
  });

  it('writes its configuration into the file of its parameters', async () => {
    const trainer = createTrainer(smallRun);
    const { metadata } = decodeSafetensors((await trainer.save()).parameters);
    expect(JSON.parse(metadata.get('run')!)).toEqual(trainer.config);
    trainer.dispose();
  });

  it('trains on Fourier features, alone and beside embeddings', async () => {
    for (const embeddings of [true, false]) {
      const trainer = createTrainer({ ...smallRun, features: { frequencies: 2, embeddings } });
      expect([...parameters(trainer.model).keys()].includes('u')).toBe(embeddings);
      expect(parameters(trainer.model).get('features.hidden.w')!.shape).toEqual([8, 4]);
      const before = (await trainer.step()).loss;
      for (let i = 1; i < 12; i++) await trainer.step();
      trainer.load({ ...(await trainer.save()), position: { epoch: 0, losses: [] } });
      expect((await trainer.step()).loss).toBeLessThan(before);
      trainer.dispose();
    }
  });

  it('does not step beyond its end', async () => {
    const trainer = createTrainer({ ...smallRun, epochs: 1 });
    for (let i = 0; i < trainer.stepsPerEpoch; i++) await trainer.step();
    expect(trainer.isDone).toBe(true);
    await expect(trainer.step()).rejects.toThrow('step: expected a run that is not done, got one at epoch 1');
    trainer.dispose();
  });
});

describe('training', () => {
  const collect = async (
    events: AsyncGenerator<TrainingEvent>,
    count = Infinity,
  ): Promise<TrainingEvent[]> => {
    const list: TrainingEvent[] = [];
    for (let i = 0; i < count; i++) {
      const next = await events.next();
      if (next.done) break;
      list.push(next.value);
    }
    return list;
  };

  it('tells of every step, and after every epoch of its metrics', async () => {
    const trainer = createTrainer({ ...smallRun, epochs: 2 });
    const events = await collect(training(trainer));
    const { stepsPerEpoch } = trainer;
    const epoch = [...new Array<string>(stepsPerEpoch).fill('step'), 'epoch'];
    expect(events.map(({ kind }) => kind)).toEqual([...epoch, ...epoch]);
    const metrics = events.flatMap((event) => (event.kind === 'epoch' ? [event.metrics] : []));
    expect(metrics.map((each) => [each.epoch, each.step, each.learningRate])).toEqual([
      [1, stepsPerEpoch, 0.02],
      [2, 2 * stepsPerEpoch, 0.01],
    ]);
    expect(metrics[1].loss).toBeLessThan(metrics[0].loss);
    trainer.dispose();
  });

  it('gives the same when nobody pulls for a while, or another iterator goes on within an epoch', async () => {
    const [whole, paused] = [createTrainer(smallRun), createTrainer(smallRun)];
    const expected = await collect(training(whole));
    const got = await collect(training(paused), 2);
    const second = training(paused);
    got.push(...(await collect(second, 3)));
    await new Promise((resolve) => setTimeout(resolve, 5));
    got.push(...(await collect(second)));
    expect(got).toEqual(expected);
    whole.dispose();
    paused.dispose();
  });

  it('stops where the loss is no number', async () => {
    const trainer = createTrainer({ ...smallRun, learningRates: [1e38] });
    await expect(collect(training(trainer))).rejects.toThrow(
      /expected finite numbers, got NaN or an infinity in/,
    );
    trainer.dispose();
  });
});
