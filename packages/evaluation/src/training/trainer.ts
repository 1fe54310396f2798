/** A model in training: one step at a time, and everything that the next step depends on. */
import { checkExamples, createConePlanner, createDensePlanner, keepPlans } from '@flowgrad/graph';
import type { FollowedPlan, Graph, KeptPlans, Plan, PlanBatch, Planner } from '@flowgrad/graph';
import { shufflingOrder } from '@flowgrad/data';
import type { Dataset } from '@flowgrad/data';
import { fourierFeatures, isGridDataset, planeWaves } from '@flowgrad/gridworld';
import type { GridMap } from '@flowgrad/gridworld';
import { createModel } from '@flowgrad/models';
import type { Model } from '@flowgrad/models';
import {
  averageInto,
  createAdam,
  createAdamW,
  disposeModule,
  loadAdam,
  loadParameters,
  parameters,
  saveAdam,
  saveParameters,
  schedules,
} from '@flowgrad/nn';
import type { Adam } from '@flowgrad/nn';
import { concat, randomKey, scope, tensor, valueAndGrad, zerosLike } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { resolveRun } from '../run/run-config.ts';
import type { RunConfig, RunFeatures, RunSettings } from '../run/run-config.ts';
import { hasPlaces, isPruned } from '../run/run-fields.ts';
import { expectFeatures } from '../run/run-problems.ts';
import { lessonOf } from '../run/lesson.ts';
import type { Lesson } from '../run/lesson.ts';
import { datasetOf } from '../run/run-dataset.ts';
import type { Checkpoint, Position } from './checkpoint.ts';
import { createEpochPlans } from './epoch-plans.ts';
import { inPlan } from './in-plan.ts';

/** What a step leaves behind. */
export interface TrainedStep {
  /** Of the batch, before the update. */
  readonly loss: number;
  /** The number of epochs that this step completed: absent unless it was the last of its epoch. */
  readonly epoch?: number;
  /** The mean loss of that epoch's batches. */
  readonly epochLoss?: number;
  /**
   * The attention that pruned flow did not carry on, in 0 … 1: a mean over the examples of that epoch, of a resumed epoch since
   * it was resumed. Absent where flow is not pruned.
   */
  readonly lostAttention?: number;
}

/** A run in memory: its data, its model and its optimiser, and the steps that train it. */
export interface Trainer {
  readonly config: RunConfig;
  readonly dataset: Dataset;
  /** The world's graph, with the self-loops that the paper's models need. */
  readonly graph: Graph;
  /** What is evaluated and asked: the model in training, or with `averaging` one of the running means of its parameters. */
  readonly model: Model;
  readonly planner: Planner;
  /** Those that come back after every epoch. */
  readonly evaluationPlans: KeptPlans;
  readonly adam: Adam;
  /** Batches in an epoch. */
  readonly stepsPerEpoch: number;
  /** How far it has come; the next step starts there. */
  readonly position: Position;
  readonly isDone: boolean;
  /** What cannot be learnt of the training split, in sentences; none if all is well. See `checkExamples`. */
  warnings(this: void): readonly string[];
  learningRateOf(this: void, epoch: number): number;
  /** Trains on the next batch. One call at a time, and no `save` before it has ended. */
  step(this: void): Promise<TrainedStep>;
  /** All that the rest of the run depends on, as of the time of the call. */
  save(this: void): Promise<Checkpoint>;
  /** Goes back, or on, to where a checkpoint was taken. */
  load(this: void, checkpoint: Checkpoint): void;
  dispose(this: void): void;
}

/** What a trainer can be given instead of making it. */
export interface TrainerOptions {
  /** The dataset of the run, where it is there already. */
  readonly dataset?: Dataset;
}

/** A trainer at the beginning of a run, on the backend of the moment. */
export function createTrainer(settings: RunSettings, options: TrainerOptions = {}): Trainer {
  const config = resolveRun(settings);
  const dataset = datasetOf(config, options.dataset);
  expectFeatures(config, dataset);
  const lesson = lessonOf(config, dataset);
  const { pairs } = lesson;
  const features = featuresOf(lesson.worlds, config.features);
  const { averaging = 0, layerDecay = 0 } = config;
  const model = buildModel(config, lesson, features);
  const learner = averaging > 0 ? buildModel(config, lesson, features) : model;
  const createPlanner = config.plan === 'cone' ? createConePlanner : createDensePlanner;
  const { steps } = dataset;
  const planner = createPlanner(lesson.graph, { steps, kind: model.kind });
  const evaluationPlans = keepPlans(planner);
  const { learningRates, epochs, batch } = config;
  const schedule = schedules.piecewise({
    rates: learningRates,
    epochsEach: Math.ceil(epochs / learningRates.length),
  });
  const trained = parameters(learner);
  const means = parameters(model);
  const adam =
    layerDecay > 0
      ? createAdamW(trained, { learningRate: schedule, weightDecay: { rate: layerDecay, on: isOfLayer } })
      : createAdam(trained, { learningRate: schedule });
  /** The parameters' file has the means: then those in training lie with the optimiser. */
  const ofLearner = learner === model ? {} : { parameters: trained };
  const stepsPerEpoch = Math.ceil(pairs.count / batch);

  let epoch = 0;
  let losses: number[] = [];
  /** Of pruned flow: the attention that was lost in this epoch, and by how many examples. */
  let lost = { sum: 0, examples: 0 };
  let order: { readonly epoch: number; readonly examples: Int32Array } | undefined;

  const orderOf = (of: number): Int32Array => {
    if (order?.epoch !== of) {
      order = { epoch: of, examples: shufflingOrder(pairs.count, { seed: config.shuffling, epoch: of }) };
    }
    return order.examples;
  };

  function* batchesFrom(of: number, first: number): Generator<PlanBatch> {
    const order = orderOf(of);
    for (let from = first * batch; from < pairs.count; from += batch) {
      const examples = order.subarray(from, from + batch);
      yield {
        sources: examples.map((example) => pairs.sources[example]),
        destinations: examples.map((example) => pairs.destinations[example]),
        ...(pairs.queries && { queries: examples.map((example) => pairs.queries![example]) }),
        ...(pairs.hiddenEdges && { hidden: Array.from(examples, pairs.hiddenEdges) }),
        lossOnly: true,
      };
    }
  }
  const plans = createEpochPlans(planner, batchesFrom);

  const inNextPlan = <T>(fn: (plan: Plan) => T): T | Promise<T> => {
    if (!isPruned(config)) return scope(() => fn(plans.at(epoch, losses.length)), 'in a plan');
    const [batch] = batchesFrom(epoch, losses.length);
    return inPlan({ config, graph: lesson.graph, model: learner, planner }, batch, fn);
  };

  const countLost = (attention: number): void => {
    lost.sum += attention;
    lost.examples += 1;
  };

  const step = async (): Promise<TrainedStep> => {
    if (epoch >= epochs)
      throw new RangeError(`step: expected a run that is not done, got one at epoch ${epoch}`);
    const train = (plan: Plan | FollowedPlan): Tensor => {
      if ('cut' in plan) for (const each of plan.cut.lost) countLost(each);
      const { value, grads } = valueAndGrad(() => learner.loss(plan));
      // The message of a walk's only step reaches no state: some parameters of a model have nothing to do there.
      const unused = [...trained.values()]
        .filter((each) => !grads.has(each))
        .map((each) => [each, zerosLike(each)] as const);
      adam.apply(new Map([...grads, ...unused]), { epoch });
      if (learner !== model) averageInto(means, trained, { decay: averaging, step: adam.step });
      return value;
    };
    const value = await inNextPlan(train);
    const [loss] = await value.data().finally(() => {
      value.dispose();
    });
    losses.push(loss);
    if (losses.length < stepsPerEpoch) return { loss };
    plans.dispose();
    const epochLoss = losses.reduce((sum, each) => sum + each, 0) / losses.length;
    const lostAttention = lost.examples > 0 && { lostAttention: lost.sum / lost.examples };
    losses = [];
    lost = { sum: 0, examples: 0 };
    epoch += 1;
    return { loss, epoch, epochLoss, ...lostAttention };
  };

  return {
    config,
    dataset,
    graph: lesson.own,
    model,
    planner,
    evaluationPlans,
    adam,
    stepsPerEpoch,
    get position() {
      return { epoch, losses: [...losses] };
    },
    get isDone() {
      return epoch >= epochs;
    },
    warnings: () => {
      // A mark on the source needs no path: regular networks score every node.
      if (!model.kind.flow) return [];
      const { sources, destinations, hiddenEdges } = pairs;
      const hidden = hiddenEdges && Array.from(sources, (_, example) => hiddenEdges(example));
      return checkExamples(lesson.graph, {
        steps,
        sources,
        destinations,
        name: 'training pairs',
        ...(hidden && { hidden }),
      });
    },
    learningRateOf: (of) => schedule({ step: 1, epoch: of }),
    step,
    save: async () => {
      const position = { epoch, losses: [...losses] };
      const [parameterFile, adamFile] = await Promise.all([
        saveParameters(model, { metadata: { run: JSON.stringify(config), epoch: String(epoch) } }),
        saveAdam(adam, ofLearner),
      ]);
      return { position, parameters: parameterFile, adam: adamFile };
    },
    load: (checkpoint) => {
      loadParameters(model, checkpoint.parameters);
      loadAdam(adam, checkpoint.adam, ofLearner);
      epoch = checkpoint.position.epoch;
      losses = [...checkpoint.position.losses];
      lost = { sum: 0, examples: 0 };
    },
    dispose: () => {
      adam.dispose();
      plans.dispose();
      evaluationPlans.dispose();
      planner.dispose();
      disposeModule(model);
      if (learner !== model) disposeModule(learner);
      features?.dispose();
    },
  };
}

/** Whether a parameter is the matrix of a layer, as `move.w`, and no bias or free embedding. */
const isOfLayer = (name: string): boolean => name.endsWith('.w');

function buildModel(
  { model: name, seed, shuffling, options, features: wanted }: RunConfig,
  { worlds, graph: { nodeCount, edgeTypeCount } }: Lesson,
  features: Tensor | undefined,
): Model {
  return createModel(name, {
    nodeCount,
    edgeTypeCount,
    ...(worlds[0].queryNames && { queryCount: worlds[0].queryNames.length }),
    key: randomKey(seed).child('start values').child(shuffling),
    ...options,
    ...(features && { inputs: { features, embeddings: wanted?.embeddings ?? true } }),
  });
}

/** [nodes of all worlds, width] */
function featuresOf(worlds: readonly Dataset[], wanted: RunFeatures | undefined): Tensor | undefined {
  return scope(() => {
    const made = worlds.map((world) =>
      wanted && hasPlaces(wanted) ? ofPlaces(world, wanted) : ownFeatures(world),
    );
    return made[0] && concat(made as Tensor[], 0);
  }, 'features');
}

/** [nodes, width] */
function ofPlaces(dataset: Dataset, { frequencies, waves }: RunFeatures): Tensor {
  const map = mapOf(dataset);
  const made = [
    ...(frequencies === undefined ? [] : [fourierFeatures(map, { frequencies })]),
    ...(waves === undefined ? [] : [planeWaves(map, { waves })]),
  ];
  const { nodeCount } = map.graph;
  return concat(
    made.map((values) => tensor(values, { shape: [nodeCount, values.length / nodeCount] })),
    1,
  );
}

/** What a dataset knows of its nodes. */
const ownFeatures = ({ features, graph }: Dataset): Tensor | undefined =>
  features && tensor(features.values, { shape: [graph.nodeCount, features.width] });

function mapOf(dataset: Dataset): GridMap {
  if (isGridDataset(dataset)) return dataset.map;
  throw new RangeError(
    `run: features: expected a grid world, whose nodes have coordinates, got the dataset ${dataset.name}`,
  );
}
