import { generateDataset } from '@flowgrad/gridworld';
import { loadParameters, saveParameters } from '@flowgrad/nn';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { describe, expect, it } from 'vitest';
import { evaluateSplit } from '../training/evaluate.ts';
import { createTrainer } from '../training/trainer.ts';
import { lessonOf } from './lesson.ts';
import { resolveRun } from './run-config.ts';

useReference();

const group = 'SINE-SZ8-STP4-NDRP-STD0.5';
const of = (settings: object, seed = 1) => {
  const config = resolveRun({ group, model: 'Walker', seed, ...settings });
  return lessonOf(config, generateDataset(group, { seed }));
};

describe('a share of the sources', () => {
  it('has all pairs of so many sources, and the same for the same seed', () => {
    const all = generateDataset(group, { seed: 1 }).examples.train;
    const { pairs } = of({ share: 0.25 });
    const sources = new Set(pairs.sources);
    expect(sources.size).toBe(Math.ceil(new Set(all.sources).size / 4));
    expect(pairs.count).toBe(all.sources.filter((source) => sources.has(source)).length);
    expect(of({ share: 0.25 }).pairs).toEqual(pairs);
    expect([...sources]).not.toEqual([...new Set(of({ share: 0.25 }, 2).pairs.sources)]);
  });

  it('is all of them unless given', () => {
    const { pairs, worlds } = of({});
    expect(pairs).toBe(worlds[0].examples.train);
  });
});

describe('several worlds', () => {
  it('are those of the seeds from that of the run on, side by side', () => {
    const { graph, pairs, worlds } = of({ worlds: 3 });
    const alone = [1, 2, 3].map((seed) => generateDataset(group, { seed }));
    expect(worlds.map((world) => [...world.examples.train.sources])).toEqual(
      alone.map((world) => [...world.examples.train.sources]),
    );
    expect(graph.nodeCount).toBe(alone.reduce((sum, world) => sum + world.graph.nodeCount, 0));
    let [first, offset] = [0, 0];
    for (const world of alone) {
      const { count, destinations } = world.examples.train;
      const own = pairs.destinations.subarray(first, first + count);
      expect([...own]).toEqual([...destinations].map((node) => node + offset));
      [first, offset] = [first + count, offset + world.graph.nodeCount];
    }
    expect(pairs.count).toBe(first);
  });

  it('teach a model that scores its own world as if there were no other', async () => {
    const settings = { group, model: 'Walker', epochs: 1, batch: 64, options: { d: 8, memory: 2 } } as const;
    const several = createTrainer({ ...settings, worlds: 2 });
    await several.step();
    const alone = createTrainer(settings);
    loadParameters(alone.model, await saveParameters(several.model));
    expect(several.graph).toEqual(alone.graph);
    expect(await evaluateSplit(several, 'test')).toEqual(await evaluateSplit(alone, 'test'));
    several.dispose();
    alone.dispose();
  });

  it('are of a grid world', () => {
    const card = {
      name: 'roads',
      sha256: 'a'.repeat(64),
      nodes: 9,
      edgeTypes: 1,
      steps: 2,
      queries: 0,
    };
    expect(() => resolveRun({ group: card, model: 'GGNN', worlds: 2 })).toThrow(
      'worlds: expected a grid world, of which every seed makes another, got the dataset roads',
    );
  });
});
