/** One of the runs that are trained side by side, and what is needed to make it again on another device. */
import { createTrainer, predict, rankingOf, stepsDone, training } from '@flowgrad/evaluation';
import type { Checkpoint, Prediction, Trainer, TrainingEvent } from '@flowgrad/evaluation';
import type { Dataset } from '@flowgrad/data';
import { loadParameters, parameters } from '@flowgrad/nn';
import type { PreparedRun, RunRequest, SavedRun, StoredRun, Watched } from '../protocol/training-protocol.ts';
import { createEpochHistory } from './epoch-history.ts';

export interface Run {
  readonly trainer: Trainer;
  readonly step: number;
  readonly isDone: boolean;
  /** The last step of an epoch is made, and the next event has its metrics. */
  readonly isEpochDue: boolean;
  /** The next event of training; undefined at the end. Nothing happens between two calls. */
  next(this: void): Promise<TrainingEvent | undefined>;
  /** Not while an epoch is due: its metrics would be lost. */
  save(this: void): Promise<SavedRun>;
  /** Keeps the state of now for `renew`, unless an epoch is due. */
  keep(this: void): Promise<void>;
  /** The same run on the backend of the moment, from where it was kept last. */
  renew(this: void): Run;
  watch(this: void, source: number, query?: number): Promise<Watched>;
  describe(this: void): PreparedRun;
}

/** Flowing attention of more edges and steps than that (32 MiB) is not handed to the page. */
const mostFlows = 2 ** 23;

export function createRun({ settings, stored }: RunRequest, dataset?: Dataset): Run {
  const trainer = createTrainer(settings, dataset ? { dataset } : {});
  if (stored) restore(trainer, stored);
  const events = training(trainer);
  // Where none flows, attention is read from a mark at the source.
  const hasFlow = trainer.model.kind.flow;
  const flows = trainer.graph.edgeCount * trainer.dataset.steps;
  const asked = !hasFlow ? 'none' : flows <= mostFlows ? 'flowing' : 'focused';
  const history = createEpochHistory(stored, rankingOf(trainer.config));
  let isEpochDue = false;
  let kept = stored;
  const save = async (): Promise<SavedRun> => ({ ...(await trainer.save()), ...history.now() });
  const steps = (): number => stepsDone(trainer.position, trainer.stepsPerEpoch);
  return {
    trainer,
    get step() {
      return steps();
    },
    get isDone() {
      return trainer.isDone;
    },
    get isEpochDue() {
      return isEpochDue;
    },
    next: async () => {
      const next = await history.timed(() => events.next());
      const event = next.done ? undefined : next.value;
      isEpochDue = event?.kind === 'step' && trainer.position.losses.length === 0;
      if (event?.kind === 'epoch') history.add(event.metrics, (await trainer.save()).parameters);
      return event;
    },
    save,
    keep: async () => {
      if (!isEpochDue) kept = await save();
    },
    renew: () => createRun({ settings, ...(kept && { stored: kept }) }, trainer.dataset),
    watch: async (source, query) => {
      const question = { sources: [source], ...(query !== undefined && { queries: [query] }) };
      const predictions = predict(trainer, question, { attention: asked });
      const { scores, attention } = (await predictions.next()).value as Prediction;
      // Of models with explicit flow the scores are the attention after the last step; of others they are logits.
      return { step: steps(), probabilities: attention ? scores : softmax(scores), ...attention };
    },
    describe: () => ({
      config: trainer.config,
      stepsPerEpoch: trainer.stepsPerEpoch,
      step: steps(),
      parameterCount: [...parameters(trainer.model).values()].reduce((sum, each) => sum + each.size, 0),
      hasFlow,
      warnings: trainer.warnings(),
    }),
  };
}

/** Parameters alone are start values: the optimiser and the count of epochs begin anew. */
function restore(trainer: Trainer, stored: StoredRun): void {
  if (stored.adam && stored.position) trainer.load(stored as Checkpoint);
  else loadParameters(trainer.model, stored.parameters);
}

function softmax(logits: Float32Array): Float32Array {
  const largest = logits.reduce((most, each) => Math.max(most, each), -Infinity);
  const weights = logits.map((each) => Math.exp(each - largest));
  const total = weights.reduce((sum, each) => sum + each, 0);
  return weights.map((each) => each / total);
}
