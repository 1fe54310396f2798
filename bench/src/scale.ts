/** Training steps on graphs of very different sizes: what a step takes should follow the cones of its examples, not the graph. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Graph, Keep } from '@flowgrad/graph';
import type { WasmBackend } from '@flowgrad/tensor';
import { onFreshWasm } from './backends.ts';
import { createDraws, geometricGraph, hubGraph, randomGraph, type MakeGraph } from './made-graphs.ts';
import { megabytes } from './memory.ts';
import { formatTable } from './table.ts';
import { createTraining, type Layout, type StepWorld } from './training-step.ts';

export interface ScaleBenchOptions {
  /** Numbers of nodes, ascending. */
  readonly sizes: readonly number[];
  /** Steps of each case; short ones are up to a hundred times as many. A fraction makes them fewer, and one at least. */
  readonly runs: number;
  readonly onProgress: (what: string) => void;
}

/** A kind of steps, each measured at several sizes. */
interface ScaleCase {
  readonly name: string;
  readonly make: MakeGraph;
  readonly layout: Layout;
  readonly batch: number;
  readonly keep?: Keep;
  /** So many steps for each that is asked for: short ones are many, so that rows have missed as many as in training. */
  readonly stepsEach: number;
  /** So many nodes at most: beyond, a step would need more memory than there is, or hours. */
  readonly most?: number;
}

const model = 'GGNN-MulMlp';
const world = { steps: 4, d: 40 };
const keep = { nodes: 200, edges: 20 };
const cone = { layout: 'cone', batch: 4, stepsEach: 1 } as const;
const cases = {
  dense: { ...cone, name: 'geometric, dense', make: geometricGraph, layout: 'dense', most: 10_000 },
  geometric: { ...cone, name: 'geometric', make: geometricGraph, stepsEach: 100 },
  random: { ...cone, name: 'random', make: randomGraph, stepsEach: 100 },
  hubs: { ...cone, name: 'hubs', make: hubGraph, stepsEach: 20, most: 100_000 },
  kept: { ...cone, name: 'random, kept', make: randomGraph, batch: 16, keep, stepsEach: 4 },
  hubsKept: { ...cone, name: 'hubs, kept', make: hubGraph, keep },
} satisfies Record<string, ScaleCase>;

interface TimedStep {
  readonly time: number;
  readonly planning: number;
  readonly following?: number;
  readonly rows: number;
}

/** What was measured on one graph; times in milliseconds. */
export interface ScaleFigures {
  readonly name: string;
  readonly nodes: number;
  readonly edges: number;
  /** To make the graph, and its planner. */
  readonly made: number;
  /** Of all steps; where they are many, of the last fifth, when rows have missed as many as they will. */
  readonly shortest: number;
  readonly median: number;
  /** Which part of a step its plan took: the middle one, of batches that are new to the planner. */
  readonly planning: number;
  /** The same of these batches once more, as in all epochs but the first. */
  readonly again: number;
  /** The same of forward passes in which the attention was followed, where some of it only is carried on. */
  readonly following?: number;
  /** State rows of all times: the middle one. */
  readonly rows: number;
  /** Bytes that the process took beyond the graph, the parameters and their moments. */
  readonly memory: number;
}

export async function benchScale({ sizes, runs, onProgress }: ScaleBenchOptions): Promise<ScaleFigures[]> {
  const figures: ScaleFigures[] = [];
  for (const each of Object.values<ScaleCase>(cases)) {
    for (const size of sizes.filter((nodes) => nodes <= (each.most ?? Infinity))) {
      onProgress(`${each.name}, ${size} nodes`);
      figures.push(await onFreshWasm((backend) => measure(backend, each, size, runs)));
    }
  }
  return figures;
}

async function measure(
  backend: WasmBackend,
  { name, make, layout, batch, keep, stepsEach }: ScaleCase,
  size: number,
  runs: number,
): Promise<ScaleFigures> {
  const before = await bytesInUse();
  const start = performance.now();
  const graph = make(size);
  const count = 1 + Math.ceil(runs * stepsEach);
  const byRow = layout === 'cone';
  const training = createTraining(walksOn(graph, count * batch, batch), model, layout, { byRow });
  const made = performance.now() - start;
  const timedStep = async (run: number): Promise<TimedStep> => {
    const begin = performance.now();
    const figures = keep ? await training.followedStep(run, keep) : training.step(run);
    await backend.synchronise();
    return { time: performance.now() - begin - figures.ahead, ...figures };
  };
  const steps: TimedStep[] = [];
  for (let run = 0; run < count; run++) steps.push(await timedStep(run));
  // The first step warms up, and of many the first rows have missed fewer than those in training.
  const firstTimed = stepsEach > 1 ? Math.floor(0.8 * count) : 1;
  const timed = steps.slice(firstTimed);
  const again: TimedStep[] = [];
  for (let run = firstTimed; run < count; run++) again.push(await timedStep(run));
  // At last, as a collection of garbage throws compiled code away.
  const taken = (await bytesInUse()) - before + backend.memory.size;
  training.dispose();
  const { nodeCount: nodes, edgeCount: edges } = graph;
  const times = timed.map(({ time }) => time);
  return {
    name,
    nodes,
    edges,
    made,
    shortest: Math.min(...times),
    median: middle(timed, ({ time }) => time),
    planning: middle(timed, planningShare),
    again: middle(again, planningShare),
    ...(keep && { following: middle(timed, ({ following, time }) => following! / time) }),
    rows: middle(timed, ({ rows }) => rows),
    memory: taken - bytesOf(graph) - 3 * 4 * nodes * world.d,
  };
}

const middle = (steps: readonly TimedStep[], of: (step: TimedStep) => number): number =>
  steps.map(of).sort((a, b) => a - b)[steps.length >> 1];

const planningShare = ({ planning, time }: TimedStep): number => planning / time;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Of the heap and of arrays outside of it, without those of wasm. */
async function bytesInUse(): Promise<number> {
  // What a case before this one has let go of is given back in turns of its own.
  for (let turn = 0; turn < 3; turn++) {
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function bytesOf({ senders, receivers, edgeTypes, bySender, byReceiver }: Graph): number {
  const orders = [bySender, byReceiver].flatMap((order) => [order.offsets, order.permutation, order.inverse]);
  return [senders, receivers, edgeTypes, ...orders].reduce((total, { byteLength }) => total + byteLength, 0);
}

/** Examples that end where a walk of T steps from their source does. */
function walksOn(graph: Graph, count: number, batch: number): StepWorld {
  const draw = createDraws(2);
  const { offsets, permutation } = graph.bySender;
  const sources = Int32Array.from({ length: count }, () => draw(graph.nodeCount));
  const destinations = sources.map((source) => {
    let node = source;
    for (let t = 0; t < world.steps; t++) {
      node = graph.receivers[permutation[offsets[node] + draw(offsets[node + 1] - offsets[node])]];
    }
    return node;
  });
  return { graph, ...world, batch, sources, destinations };
}

const milliseconds = (time: number): string => `${time.toFixed(time < 100 ? 1 : 0)} ms`;

/** The table, and whether the steps follow their cones. */
export function scaleReport(figures: readonly ScaleFigures[]): string {
  const of = (name: string): ScaleFigures[] => figures.filter((each) => each.name === name);
  const header = [
    'graph',
    'nodes',
    'edges',
    'made in',
    'step',
    'median',
    '/ smallest',
    'planning',
    'again',
    'following',
    'rows',
    'memory',
  ];
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  const rows = figures.map((each) => [
    each.name,
    String(each.nodes),
    String(each.edges),
    `${(each.made / 1000).toFixed(1)} s`,
    milliseconds(each.shortest),
    milliseconds(each.median),
    (each.shortest / of(each.name)[0].shortest).toFixed(2),
    percent(each.planning),
    percent(each.again),
    each.following === undefined ? '' : percent(each.following),
    String(each.rows),
    megabytes(each.memory),
  ]);
  return [formatTable(header, rows), '', ...verdicts(of), ...planningVerdicts(figures)].join('\n');
}

const digits: Readonly<Record<string, number>> = { '×': 2, '%': 1, MB: 0 };

const verdict = (what: string, value: number, bar: number, unit: string): string =>
  `${what}: ${value.toFixed(digits[unit])} ${unit}, wanted at most ${bar} ${unit}: ` +
  (value <= bar ? 'holds' : 'DOES NOT HOLD');

/** From 10,000 nodes on, where there are so many. */
function largest(figures: readonly ScaleFigures[]): readonly ScaleFigures[] {
  const large = figures.filter(({ nodes }) => nodes >= 9_900);
  return figures.some(({ nodes }) => nodes >= 10_000) ? large : figures;
}

/** Of all graphs, the one on which planning takes most of a step. */
function planningVerdicts(figures: readonly ScaleFigures[]): string[] {
  const pruned = figures.filter(({ following }) => following !== undefined);
  const whole = figures.filter(({ following }) => following === undefined);
  const most = (of: readonly ScaleFigures[], share: 'planning' | 'again'): number =>
    100 * Math.max(...largest(of).map((each) => each[share]));
  return [
    verdict('planning of a batch, of its step', most(whole, 'planning'), 5, '%'),
    verdict('planning of it in later epochs', most(whole, 'again'), 5, '%'),
    verdict('planning of a batch that keeps some', most(pruned, 'planning'), 5, '%'),
  ];
}

function verdicts(of: (name: string) => ScaleFigures[]): string[] {
  const sizesOf = ({ name }: ScaleCase): readonly ScaleFigures[] => largest(of(name));
  const [first, second = first, ...more] = sizesOf(cases.geometric);
  const last = more.at(-1) ?? second;
  const kept = sizesOf(cases.kept);
  const [keptFirst, keptLast] = [kept[0], kept.at(-1)!];
  const perRow = ({ shortest, rows }: ScaleFigures): number => shortest / rows;
  const against = (a: ScaleFigures, b: ScaleFigures): string => `${a.nodes} nodes against ${b.nodes}`;
  return [
    verdict(`a step on ${against(last, first)}`, last.shortest / first.shortest, 2, '×'),
    verdict(`a row of it on ${against(second, first)}`, perRow(second) / perRow(first), 1.3, '×'),
    verdict(
      `a step that keeps some on ${against(keptLast, keptFirst)}`,
      keptLast.shortest / keptFirst.shortest,
      2,
      '×',
    ),
    verdict(`memory on ${last.nodes} nodes, of geometric graphs`, last.memory / 1e6, 500, 'MB'),
  ];
}
