/** How fast a model trains. */
import { createTrainer } from '@flowgrad/evaluation';
import type { RunSettings } from '@flowgrad/evaluation';
import { generateDataset } from '@flowgrad/gridworld';
import { scope } from '@flowgrad/tensor';

export interface StepTiming {
  readonly model: string;
  readonly plan: 'cone' | 'dense';
  /** Steps that were timed. */
  readonly steps: number;
  readonly stepsPerSecond: number;
  /** The part of a step's time that planning takes, in 0 … 1. */
  readonly planning: number;
}

export interface TimeOptions {
  /** Steps are made until this time is over; at least three. */
  readonly seconds: number;
  readonly signal: AbortSignal;
}

/** On the backend of the moment. Undefined if it was stopped before a step was timed. */
export async function timeSteps(
  settings: RunSettings & { readonly group: string; readonly plan: 'cone' | 'dense' },
  { seconds, signal }: TimeOptions,
): Promise<StepTiming | undefined> {
  const dataset = generateDataset(settings.group, { seed: settings.seed ?? 1 });
  const trainer = createTrainer({ ...settings, epochs: 1_000_000 }, { dataset });
  try {
    await trainer.step(); // compiles, and makes what is made once
    const [start, planningMs] = [performance.now(), timePlanning(trainer)];
    const begin = performance.now();
    let steps = 0;
    while (!signal.aborted && (steps < 3 || performance.now() - start < 1000 * seconds)) {
      await trainer.step();
      steps += 1;
      // Lets a signal through.
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (steps === 0) return undefined;
    const stepMs = (performance.now() - begin) / steps;
    return {
      model: settings.model,
      plan: settings.plan,
      steps,
      stepsPerSecond: 1000 / stepMs,
      planning: Math.min(1, planningMs / stepMs),
    };
  } finally {
    trainer.dispose();
  }
}

/** Milliseconds of planning a batch, once the planner's tables are filled. */
function timePlanning({ dataset, planner, config }: ReturnType<typeof createTrainer>): number {
  const { sources, destinations, count } = dataset.examples.train;
  const plans = Math.max(1, Math.min(8, Math.floor(count / config.batch)));
  const planAll = (): void => {
    for (let i = 0; i < plans; i++) {
      const range = [i * config.batch, (i + 1) * config.batch] as const;
      scope(() => {
        const batch = { sources: sources.subarray(...range), destinations: destinations.subarray(...range) };
        planner.plan({ ...batch, lossOnly: true });
      });
    }
  };
  planAll();
  const start = performance.now();
  planAll();
  return (performance.now() - start) / plans;
}
