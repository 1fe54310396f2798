/** Seconds of a training epoch, and of the evaluation after it, on one thread, from a few batches of each. */
import { createTrainer, distinctQuestions, predict } from '@flowgrad/evaluation';
import { textTable } from '@flowgrad/files';
import { generateDataset } from '@flowgrad/gridworld';
import { paperModelNames } from '@flowgrad/models';
import { onFreshWasm } from './backends.ts';

export interface EpochBenchOptions {
  /** The name of a group, such as HISTORY-SZ32-STP16-NDRP-STD0.2. */
  readonly group: string;
  /** Models whose name contains this. */
  readonly filter: string;
  /** Batches that are trained on, and batches that are evaluated. */
  readonly batches: number;
  readonly onProgress: (what: string) => void;
}

/** Processor time of this process, in seconds, which others on the machine disturb least. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

async function secondsOf(job: () => Promise<void>): Promise<number> {
  const start = processorSeconds();
  await job();
  return processorSeconds() - start;
}

/** A table with a row for each model. Batches are those of the first epoch, in which planners find cones for the first time. */
export async function benchEpochs({
  group,
  filter,
  batches,
  onProgress,
}: EpochBenchOptions): Promise<string> {
  const dataset = generateDataset(group, { seed: 1 });
  const { sources } = distinctQuestions(dataset.examples.valid);
  const rows: string[][] = [];
  for (const model of paperModelNames) {
    if (!model.includes(filter)) continue;
    onProgress(model);
    const seconds = await onFreshWasm(
      async () => {
        const trainer = createTrainer({ group, model }, { dataset });
        const { stepsPerEpoch, config } = trainer;
        const asked = Math.min(batches * config.batch, sources.length);
        const train = async (): Promise<void> => {
          for (let step = 0; step < batches; step++) await trainer.step();
        };
        const evaluate = async (): Promise<void> => {
          const { evaluationPlans: plans } = trainer;
          for await (const _ of predict(trainer, Array.from(sources).slice(0, asked), { plans }));
        };
        // The first time warms up.
        await trainer.step();
        const training = ((await secondsOf(train)) * stepsPerEpoch) / batches;
        await evaluate();
        const evaluation = ((await secondsOf(evaluate)) * sources.length) / asked;
        trainer.dispose();
        return [training, evaluation, training + evaluation];
      },
      { threads: 1 },
    );
    rows.push([model, ...seconds.map((each) => `${each.toFixed(1)} s`)]);
  }
  return textTable(['model', 'training', 'evaluation', 'both'], rows, { left: 1, rule: false });
}
