import { useReference } from '@flowgrad/tensor/testing/vitest';
import { describe, expect, it } from 'vitest';
import { visitedShare } from '../metrics/visited-share.ts';
import { resolveRun } from '../run/run-config.ts';
import type { RunSettings } from '../run/run-config.ts';
import { smallRun } from '../testing/small-run.ts';
import { evaluateSplit } from './evaluate.ts';
import { predict } from './predict.ts';
import { createTrainer } from './trainer.ts';
import type { Trainer } from './trainer.ts';
import { training } from './training.ts';

useReference();

/** Two losses of training, and what one source attends to at the last step. */
async function trained(more: Partial<RunSettings>) {
  const trainer = createTrainer({ ...smallRun, model: 'RW-Dynamic', ...more });
  try {
    const losses = [(await trainer.step()).loss, (await trainer.step()).loss];
    const metrics = await evaluateSplit(trainer, 'test');
    const visited = await visitedShare(trainer, 'test');
    for await (const { attention } of predict(trainer, [1], { attention: 'focused' })) {
      const attended = attention!.focused.map((step) => step.filter((each) => each > 0).length);
      return { losses, metrics, visited, attended };
    }
    throw new Error('no prediction');
  } finally {
    trainer.dispose();
  }
}

describe('a run of pruned flow', () => {
  it('is the run of all of the flow where everything is kept', async () => {
    const { losses, ...whole } = await trained({});
    const kept = await trained({ keepNodes: 1000, keepEdges: 1000 });
    expect(kept).toMatchObject(whole);
    for (const [i, loss] of losses.entries()) expect(kept.losses[i]).toBeCloseTo(loss, 6);
  });

  it('trains and predicts along what is kept alone', async () => {
    const whole = await trained({});
    const { losses, attended } = await trained({ keepNodes: 2, keepEdges: 2 });
    expect(losses).not.toEqual(whole.losses);
    expect(Math.max(...attended)).toBeLessThanOrEqual(4);
    expect(Math.max(...whole.attended)).toBeGreaterThan(4);
    const [one] = (await trained({ keepNodes: 1, keepEdges: 1 })).attended.slice(-1);
    expect(one).toBe(1);
    // At each of four times a question has attention on one node.
    expect((await trained({ keepNodes: 1, keepEdges: 1 })).visited).toBeLessThanOrEqual(4 / 20);
    expect(whole.visited).toBeGreaterThan(4 / 20);
  });

  it('tells with each epoch how much attention it did not carry on, a mean over its examples', async () => {
    const trainer = createTrainer({
      ...smallRun,
      model: 'RW-Dynamic',
      keepNodes: 2,
      keepEdges: 2,
      epochs: 2,
    });
    const { planner } = trainer as { planner: { follow: Trainer['planner']['follow'] } };
    const { follow } = planner;
    let lost: number[] = [];
    planner.follow = async (batch, ...others) => {
      const plan = await follow(batch, ...others);
      // Plans of evaluation have no destinations.
      if (batch.destinations) lost.push(...plan.cut.lost);
      return plan;
    };
    let epochs = 0;
    for await (const event of training(trainer)) {
      if (event.kind !== 'epoch') continue;
      expect(lost).toHaveLength(trainer.dataset.examples.train.count);
      const mean = lost.reduce((sum, each) => sum + each, 0) / lost.length;
      expect(mean).toBeGreaterThan(0.01);
      expect(event.lostAttention).toBeCloseTo(mean, 12);
      lost = [];
      epochs += 1;
    }
    expect(epochs).toBe(2);
    trainer.dispose();
    const whole = createTrainer({ ...smallRun, model: 'RW-Dynamic', epochs: 1 });
    for await (const event of training(whole)) expect(event).not.toHaveProperty('lostAttention');
    whole.dispose();
    const kept = createTrainer({ ...smallRun, model: 'RW-Dynamic', keepNodes: 1000, epochs: 1 });
    for await (const event of training(kept)) if (event.kind === 'epoch') expect(event.lostAttention).toBe(0);
    kept.dispose();
  });

  it('is refused where nothing can be cut', () => {
    const run = (more: Partial<RunSettings>) => () => resolveRun({ ...smallRun, ...more });
    expect(run({ model: 'FullGN-Mul', options: { d: 4 }, keepNodes: 3 })).toThrow(
      /^run: keepNodes: expected a model whose attention can be cut, got FullGN-Mul \(that of RW-Stationary, .*, GGNN-Mul, [^()]* can\)$/,
    );
    expect(run({ model: 'GGNN', options: { d: 4 }, keepEdges: 3 })).toThrow(
      'run: keepEdges: expected a model whose attention can be cut, got GGNN',
    );
    expect(run({ plan: 'dense', keepEdges: 3 })).toThrow(
      "run: keepEdges: expected plan = 'cone', got 'dense'",
    );
  });
});
