/** The paper's protocol as a sequence of events: whoever pulls them, paces them. */
import type { EpochMetrics } from '../run/run-record.ts';
import { stepsDone } from './checkpoint.ts';
import { evaluateSplit } from './evaluate.ts';
import { NotFiniteError } from './predict.ts';
import type { Trainer } from './trainer.ts';

/** What `training` yields: the loss of every step, and the metrics after every epoch. */
export type TrainingEvent =
  | { readonly kind: 'step'; readonly step: number; readonly loss: number }
  /** `lostAttention`: the mean attention that pruned flow did not carry on, see `TrainedStep`. */
  | { readonly kind: 'epoch'; readonly metrics: EpochMetrics; readonly lostAttention?: number };

/**
 * Trains from where the trainer is to the end of its run: an event after every step, and one after every epoch with
 * the metrics of both splits. Nothing happens between two pulls, so a pause changes nothing in the result. An iterator
 * that is given up between the last step of an epoch and its metrics takes these with it.
 */
export async function* training(trainer: Trainer): AsyncGenerator<TrainingEvent> {
  while (!trainer.isDone) {
    const { loss, epoch, epochLoss, lostAttention } = await trainer.step();
    const step = stepsDone(trainer.position, trainer.stepsPerEpoch);
    if (!Number.isFinite(loss)) throw new NotFiniteError(`the loss of step ${step}`);
    yield { kind: 'step', step, loss };
    if (epoch === undefined) continue;
    const valid = await evaluateSplit(trainer, 'valid');
    const test = await evaluateSplit(trainer, 'test');
    const learningRate = trainer.learningRateOf(epoch - 1);
    const metrics = { epoch, step, learningRate, loss: epochLoss!, valid, test };
    yield { kind: 'epoch', metrics, ...(lostAttention !== undefined && { lostAttention }) };
  }
}
