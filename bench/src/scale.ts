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
  random: { ...cone, name: 'random', make: randomGraph, stepsEach: 20 },
  hubs: { ...cone, name: 'hubs', make: hubGraph, stepsEach: 4, most: 100_000 },
  kept: { ...cone, name: 'random, kept', make: randomGraph, batch: 16, keep, stepsEach: 4 },
  hubsKept: { ...cone, name: 'hubs, kept', make: hubGraph, keep },
} satisfies Record<string, ScaleCase>;

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
  /** The middle one. */
  readonly planning: number;
  /** The middle one of the time in which the attention was followed, where some of it only is carried on. */
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
  const steps: { time: number; planning: number; following?: number; rows: number }[] = [];
  for (let run = 0; run < count; run++) {
    const begin = performance.now();
    const figures = keep ? await training.followedStep(run, keep) : training.step(run);
    await backend.synchronise();
    steps.push({ time: performance.now() - begin, ...figures });
  }
  const taken = (await bytesInUse()) - before + backend.memory.size;
  training.dispose();
  const { nodeCount: nodes, edgeCount: edges } = graph;
  // The first step warms up, and of many the first rows have missed fewer than those in training.
  const timed = steps.slice(stepsEach > 1 ? Math.floor(0.8 * count) : 1);
  const middle = (of: (step: (typeof steps)[number]) => number): number =>
    timed.map(of).sort((a, b) => a - b)[timed.length >> 1];
  const times = timed.map(({ time }) => time);
  return {
    name,
    nodes,
    edges,
    made,
    shortest: Math.min(...times),
    median: middle(({ time }) => time),
    planning: middle(({ planning }) => planning),
    ...(keep && { following: middle(({ following }) => following!) }),
    rows: middle(({ rows }) => rows),
    memory: taken - bytesOf(graph) - 3 * 4 * nodes * world.d,
  };
}

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
    'following',
    'rows',
    'memory',
  ];
  const share = (part: number, { median }: ScaleFigures): string => `${((100 * part) / median).toFixed(1)} %`;
  const rows = figures.map((each) => [
    each.name,
    String(each.nodes),
    String(each.edges),
    `${(each.made / 1000).toFixed(1)} s`,
    milliseconds(each.shortest),
    milliseconds(each.median),
    (each.shortest / of(each.name)[0].shortest).toFixed(2),
    share(each.planning, each),
    each.following === undefined ? '' : share(each.following, each),
    String(each.rows),
    megabytes(each.memory),
  ]);
  return [formatTable(header, rows), '', ...verdicts(of)].join('\n');
}

function verdicts(of: (name: string) => ScaleFigures[]): string[] {
  const verdict = (what: string, value: number, bar: number, unit: string): string =>
    `${what}: ${value.toFixed(unit === '×' ? 2 : 0)} ${unit}, wanted at most ${bar} ${unit}: ` +
    (value <= bar ? 'holds' : 'DOES NOT HOLD');
  /** From 10,000 nodes on, where there are so many. */
  const sizesOf = ({ name }: ScaleCase): ScaleFigures[] => {
    const all = of(name);
    return all.some(({ nodes }) => nodes >= 10_000) ? all.filter(({ nodes }) => nodes >= 9_900) : all;
  };
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
