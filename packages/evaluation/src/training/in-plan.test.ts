import { useReference } from '@flowgrad/tensor/testing/vitest';
import { describe, expect, it } from 'vitest';
import { visitedShare } from '../metrics/visited-share.ts';
import { resolveRun } from '../run/run-config.ts';
import type { RunSettings } from '../run/run-config.ts';
import { smallRun } from '../testing/small-run.ts';
import { evaluateSplit } from './evaluate.ts';
import { predict } from './predict.ts';
import { createTrainer } from './trainer.ts';

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

  it('is refused where nothing can be cut', () => {
    const run = (more: Partial<RunSettings>) => () => resolveRun({ ...smallRun, ...more });
    expect(run({ model: 'FullGN-Mul', options: { d: 4 }, keepNodes: 3 })).toThrow(
      'run: keepNodes: expected a model with explicit flow whose states read no global one of messages, got FullGN-Mul',
    );
    expect(run({ model: 'GGNN', options: { d: 4 }, keepEdges: 3 })).toThrow(
      'run: keepEdges: expected a model with',
    );
    expect(run({ plan: 'dense', keepEdges: 3 })).toThrow(
      "run: keepEdges: expected plan = 'cone', got 'dense'",
    );
  });
});
