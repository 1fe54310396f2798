/** A whole training step of a model on a world of the paper: plan, forward, backward, Adam. */
import {
  createConePlanner,
  createDensePlanner,
  planSize,
  withSelfLoops,
  type Graph,
  type Keep,
  type Plan,
  type PlanBatch,
} from '@flowgrad/graph';
import { generateDataset, SELF_LOOP_TYPE } from '@flowgrad/gridworld';
import { createModel, type ModelName } from '@flowgrad/models';
import { createAdam, disposeModule, parameters } from '@flowgrad/nn';
import { memory, randomKey, scope, setBackend, traceOps, valueAndGrad } from '@flowgrad/tensor';
import type { Tensor, WasmBackend, WebGpuBackend } from '@flowgrad/tensor';
import { createTimedPlans, type TimedPlan } from './timed-plans.ts';

export type Layout = 'dense' | 'cone';

export interface StepWorld {
  readonly graph: Graph;
  readonly steps: number;
  readonly batch: number;
  readonly d: number;
  readonly sources: ArrayLike<number> & { slice(from: number, to: number): ArrayLike<number> };
  readonly destinations: ArrayLike<number> & { slice(from: number, to: number): ArrayLike<number> };
}

/** The sizes of the paper: SZ32 with batch 16, d 40; SZ64 with batch 4, d 30. */
export const worlds = {
  SZ32: { group: 'SINE-SZ32-STP16-NDRP-STD0.2', steps: 16, batch: 16, d: 40 },
  SZ64: { group: 'SINE-SZ64-STP32-NDRP-STD0.2', steps: 32, batch: 4, d: 30 },
} as const;

export function createStepWorld(size: keyof typeof worlds): StepWorld {
  const { group, ...sizes } = worlds[size];
  const dataset = generateDataset(group, { seed: 1 });
  const graph = withSelfLoops(dataset.map.graph, { edgeType: SELF_LOOP_TYPE });
  return { graph, ...sizes, ...dataset.examples.train };
}

export interface StepTiming {
  /** Milliseconds: the shortest of the runs, and the middle one. */
  readonly shortest: number;
  readonly median: number;
  /** Milliseconds of planning, the middle one. */
  readonly planning: number;
  /** Bytes alive at the end of the forward pass, the most of all runs. */
  readonly bytes: number;
  /** Bytes of linear memory at the end, which never shrinks: the peak. */
  readonly memory: number;
  /** State rows of all times: the middle one. */
  readonly rows: number;
  readonly isDense: boolean;
  /** Floating-point operations of matrix products. */
  readonly flops: number;
}

/** A model in training. */
export interface Training {
  /** The plan of one of the batches, which lives until another is asked for. */
  plan(this: void, run: number): Plan;
  /** Plan, forward, backward, Adam. */
  step(this: void, run: number): StepFigures;
  /** The same, carrying on only the attention that is kept. */
  followedStep(this: void, run: number, keep: Keep): Promise<StepFigures>;
  dispose(this: void): void;
}

export interface StepFigures extends Pick<TimedPlan, 'planning' | 'ahead'> {
  /** Milliseconds of forward passes to follow the attention, where some of it only is carried on. */
  readonly following?: number;
  readonly bytes: number;
  readonly rows: number;
  /** Whether the plan has all nodes of all examples, as cone plans of models with a global state do. */
  readonly isDense: boolean;
}

/** With `byRow`, embeddings that a step does not read are not touched by it. */
export function createTraining(
  world: StepWorld,
  name: ModelName,
  layout: Layout,
  { byRow = false }: { readonly byRow?: boolean } = {},
): Training {
  const { graph, steps, batch, sources, destinations } = world;
  const { nodeCount, edgeTypeCount } = graph;
  const model = createModel(name, { nodeCount, edgeTypeCount, key: randomKey(1), d: world.d });
  const create = layout === 'dense' ? createDensePlanner : createConePlanner;
  const planner = create(graph, { steps, kind: model.kind });
  const isTable = (of: string): boolean => of === 'u';
  const named = parameters(model);
  const adam = createAdam(named, {
    learningRate: 5e-4,
    ...(byRow && { byRow: isTable, weightDecay: { rate: 1e-5, on: isTable } }),
  });
  const u = named.get('u')!;
  const batches = Math.floor(sources.length / batch);
  const batchOf = (run: number): PlanBatch => {
    const first = (run % batches) * batch;
    return {
      sources: sources.slice(first, first + batch),
      destinations: destinations.slice(first, first + batch),
      lossOnly: true,
    };
  };
  const plans = createTimedPlans(planner, batchOf);
  const train = (plan: Plan): Omit<StepFigures, 'planning' | 'ahead'> => {
    let bytes = 0;
    const loss = (): Tensor => {
      const value = model.loss(plan, { weightDecay: !byRow });
      bytes = memory().bytes;
      return value;
    };
    if (byRow) adam.catchUp(u, plan.nodes);
    adam.apply(byRow ? valueAndGrad(loss, { byRow: [u] }).grads : valueAndGrad(loss).grads);
    const { rows } = planSize(plan);
    return { bytes, rows, isDense: plan.dense };
  };
  const step: Training['step'] = (run) =>
    scope(() => {
      const { plan, ...times } = plans.at(run);
      return { ...times, ...train(plan) };
    }, 'training step');
  const followedStep: Training['followedStep'] = (run, keep) =>
    scope(async () => {
      const start = performance.now();
      let following = 0;
      const flows = (plan: Plan): readonly Tensor[] => {
        const begin = performance.now();
        const made = model.flows!(plan);
        following += performance.now() - begin;
        return made;
      };
      // On wasm a value is there when its op returns, so that reading it back takes no time.
      const plan = await planner.follow(batchOf(run), { flows }, keep);
      return { planning: performance.now() - start - following, ahead: 0, following, ...train(plan) };
    }, 'training step');
  const dispose = (): void => {
    adam.dispose();
    plans.dispose();
    planner.dispose();
    disposeModule(model);
  };
  return { plan: (run) => plans.at(run).plan, step, followedStep, dispose };
}

/** How many WebGPU dispatches a step makes: all of them are enqueued at full size, none runs. */
export async function countDispatches(
  backend: WebGpuBackend,
  world: StepWorld,
  name: ModelName,
  layout: Layout,
): Promise<number> {
  const previous = setBackend(backend);
  try {
    const training = createTraining(world, name, layout);
    const { dispatches } = await backend.warmUp(() => void training.step(1));
    training.dispose();
    return dispatches;
  } finally {
    setBackend(previous);
  }
}

/** Batches of 16 in a training split of SZ32. */
const plansOfAnEpoch = 78;

export async function timeStep(
  backend: WasmBackend,
  world: StepWorld,
  name: ModelName,
  layout: Layout,
  runs: number,
): Promise<StepTiming> {
  const training = createTraining(world, name, layout);
  const times: number[] = [];
  const figures: StepFigures[] = [];
  // As in all epochs but the first: what planners keep per node is made, and their code is compiled for good.
  for (let run = 0; run < plansOfAnEpoch; run++) training.plan(run);
  for (let run = 0; run <= runs; run++) {
    const start = performance.now();
    const step = training.step(run);
    await backend.synchronise();
    figures.push(step);
    times.push(performance.now() - start - step.ahead);
  }
  // The first run warms up, and is traced nowhere.
  const { ops } = traceOps(() => void training.step(1));
  await backend.synchronise();
  training.dispose();
  const flops = ops.reduce(
    (total, { op, inputs, outputs, count }) => total + count * productFlops(op, inputs, outputs),
    0,
  );
  const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1];
  const timed = times.slice(1);
  return {
    shortest: Math.min(...timed),
    median: middle(timed),
    planning: middle(figures.slice(1).map(({ planning }) => planning)),
    bytes: Math.max(...figures.map(({ bytes }) => bytes)),
    memory: backend.memory.size,
    rows: middle(figures.slice(1).map(({ rows }) => rows)),
    isDense: figures[0].isDense,
    flops,
  };
}

/** Floating-point operations of the matrix products in a call, from the shapes `[n, k] [k, m]` of what goes in and out. */
function productFlops(op: string, inputs: string, outputs: string): number {
  const shapesOf = (text: string): number[][] =>
    Array.from(text.matchAll(/\[([^\]]*)\]/g), ([, extents]) => extents.split(', ').map(Number));
  const size = (shape: readonly number[]): number => shape.reduce((product, extent) => product * extent, 1);
  const [given, made] = [shapesOf(inputs), shapesOf(outputs)];
  switch (op) {
    case 'matmul':
      // [n, k], [k, m] and [n, m] in any order: the root of their sizes' product is n·k·m.
      return 2 * Math.sqrt(size([...given, ...made].map(size)));
    case 'linear':
      return 2 * made[0][0] * size(given[1]);
    case 'linearWeightGrad':
      return 2 * size(given.at(-1)!) * made[0][1];
    case 'gruCell':
      return 2 * made[0][0] * (size(given[0]) + size(given[2]));
    case 'gruCellGrad':
      return 2 * made[0][0] * (size(given[0]) + size(given[1]));
    default:
      return 0;
  }
}
