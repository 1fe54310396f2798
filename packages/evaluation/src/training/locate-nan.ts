import { checkNumerics } from '@flowgrad/tensor';
import type { Checkpoint } from './checkpoint.ts';
import { stepsDone } from './checkpoint.ts';
import type { Trainer } from './trainer.ts';

/** Where a number that is not finite first came up. */
export interface LocatedNaN {
  /** The step that made it: 1 for the first of the run. */
  readonly step: number;
  /** The run as it was before that step. */
  readonly before: Checkpoint;
  /** Which op it was, on which shapes, and where in its result. */
  readonly problem: string;
}

/**
 * Finds the step and the op that first made a NaN or an infinity, by training again from a checkpoint and looking at
 * every result: runs give the same bits each time, so nothing has to be watched while all is well. At most `steps`
 * steps are tried; undefined if all of them stay finite.
 */
export async function locateNaN(
  trainer: Trainer,
  from: Checkpoint,
  steps: number,
): Promise<LocatedNaN | undefined> {
  trainer.load(from);
  for (let tried = 0; tried < steps && !trainer.isDone; tried++) {
    const before = await trainer.save();
    try {
      await checkNumerics(() => trainer.step());
    } catch (error) {
      const problem = (error as Error).message.replace(/^checkNumerics: /, '');
      return { step: stepsDone(before.position, trainer.stepsPerEpoch) + 1, before, problem };
    }
  }
  return undefined;
}
