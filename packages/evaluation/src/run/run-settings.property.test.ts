/** Every value that the schema accepts trains and comes back from its file; what is nearly right is refused in our words. */
import { useReference } from '@flowgrad/tensor/testing/vitest';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { arbitraryRun, mutatedRun } from '../testing/arbitrary-runs.ts';
import { createTrainer } from '../training/trainer.ts';
import { training } from '../training/training.ts';
import { jsonText } from './run-files.ts';
import { isCard } from './dataset-card.ts';
import { resolveRun, variantName } from './run-config.ts';
import type { RunConfig, RunSettings } from './run-config.ts';

useReference();

const seed = Number(process.env['FLOWGRAD_TEST_SEED'] ?? 20261117);
const ours = /^[^:]+: .*\bexpected\b|\bmust be\b|^expected finite numbers/s;

/** Undefined where it was refused. Whatever is not ours is thrown on. */
async function attempted<T>(work: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && ours.test(error.message)) return undefined;
    throw error;
  }
}

/** The first epoch, with the metrics of both splits, or its first step alone. */
async function train(config: RunConfig, last: 'epoch' | 'step'): Promise<true> {
  const trainer = createTrainer(config);
  try {
    for await (const event of training(trainer)) {
      if (event.kind === 'epoch' || last === 'step') break;
      expect(event.loss).not.toBeNaN();
    }
    return true;
  } finally {
    trainer.dispose();
  }
}

const isTiny = ({ group, options, features, worlds = 1 }: RunConfig): boolean => {
  const isSmallWorld =
    typeof group === 'string'
      ? group.includes('-SZ') && group.length < 30
      : !isCard(group) && group.size <= 5 && group.steps <= 3 && group.rollouts <= 4;
  const isSmallModel =
    options.d <= 9 &&
    (options.memory ?? 0) <= 9 &&
    (options.clock ?? 0) <= 9 &&
    (features?.frequencies ?? 0) <= 3;
  return isSmallWorld && worlds <= 2 && isSmallModel;
};

it(
  'settings of every kind and range train, and come back from a file as what they were',
  { timeout: 300_000 },
  async () => {
    const verdicts = { refused: 0, trained: 0, failed: 0 };
    await fc.assert(
      fc.asyncProperty(arbitraryRun, async (settings) => {
        const config = await attempted(() => resolveRun(settings as RunSettings));
        verdicts.refused += Number(!config);
        if (!config) return;
        expect(resolveRun(JSON.parse(jsonText(config)) as RunSettings)).toEqual(config);
        expect(jsonText(resolveRun(config))).toBe(jsonText(config));
        expect(variantName(config)).toMatch(new RegExp(`^${config.model}`));
        verdicts[(await attempted(() => train(config, 'epoch'))) ? 'trained' : 'failed'] += 1;
      }),
      { seed, numRuns: 80 },
    );
    // Channels and heads that do not suit d, and worlds of too few nodes.
    expect(verdicts.trained).toBeGreaterThan(50);
    expect(verdicts.failed).toBeLessThan(10);
  },
);

it('settings that are nearly right are refused in our words, or train', { timeout: 300_000 }, async () => {
  const verdicts = { refused: 0, taken: 0 };
  await fc.assert(
    fc.asyncProperty(mutatedRun, async (settings) => {
      const config = await attempted(() => resolveRun(settings as RunSettings));
      verdicts[config ? 'taken' : 'refused'] += 1;
      if (!config) return;
      // By its text: a file has no −0.
      expect(jsonText(resolveRun(JSON.parse(jsonText(config)) as RunSettings))).toBe(jsonText(config));
      if (isTiny(config)) await attempted(() => train(config, 'step'));
    }),
    { seed, numRuns: 3000 },
  );
  expect(Math.min(verdicts.refused, verdicts.taken)).toBeGreaterThan(100);
});
