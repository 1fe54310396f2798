/** Training steps on graphs of very different sizes: what a step takes should follow the cones of its examples, not the graph. */
import type { Graph } from '@flowgrad/graph';
import type { WasmBackend } from '@flowgrad/tensor';
import { onFreshWasm } from './backends.ts';
import { createDraws, geometricGraph, hubGraph, randomGraph, type MakeGraph } from './made-graphs.ts';
import { megabytes } from './memory.ts';
import { formatTable } from './table.ts';
import { createTraining, type StepWorld } from './training-step.ts';

export interface ScaleBenchOptions {
  /** Numbers of nodes, ascending. */
  readonly sizes: readonly number[];
  readonly runs: number;
  readonly onProgress: (what: string) => void;
}

const makers: Readonly<Record<string, MakeGraph>> = {
  geometric: geometricGraph,
  random: randomGraph,
  hubs: hubGraph,
};
const model = 'GGNN-MulMlp';
const world = { steps: 4, batch: 4, d: 40 };

/** What was measured on one graph; times in milliseconds. */
export interface ScaleFigures {
  readonly kind: string;
  readonly nodes: number;
  readonly edges: number;
  /** To make the graph, and its planner. */
  readonly made: number;
  readonly shortest: number;
  readonly median: number;
  /** The middle one. */
  readonly planning: number;
  /** State rows of all times: the middle one. */
  readonly rows: number;
  /** Bytes of linear memory at the end: the peak. */
  readonly memory: number;
}

export async function benchScale({ sizes, runs, onProgress }: ScaleBenchOptions): Promise<string> {
  const figures: ScaleFigures[] = [];
  for (const [kind, make] of Object.entries(makers)) {
    for (const size of sizes) {
      onProgress(`${kind}, ${size} nodes`);
      figures.push(await onFreshWasm((backend) => measure(backend, kind, () => make(size), runs)));
    }
  }
  return scaleReport(figures);
}

async function measure(
  backend: WasmBackend,
  kind: string,
  makeGraph: () => Graph,
  runs: number,
): Promise<ScaleFigures> {
  const start = performance.now();
  const graph = makeGraph();
  const training = createTraining(walksOn(graph, (runs + 1) * world.batch), model, 'cone', { byRow: true });
  const made = performance.now() - start;
  const steps: { time: number; planning: number; rows: number }[] = [];
  for (let run = 0; run <= runs; run++) {
    const begin = performance.now();
    const { planning, rows } = training.step(run);
    await backend.synchronise();
    steps.push({ time: performance.now() - begin, planning, rows });
  }
  training.dispose();
  const { nodeCount: nodes, edgeCount: edges } = graph;
  // The first step warms up.
  const timed = steps.slice(1);
  const middle = (of: 'time' | 'planning' | 'rows'): number =>
    timed.map((step) => step[of]).sort((a, b) => a - b)[timed.length >> 1];
  const shortest = Math.min(...timed.map(({ time }) => time));
  const rows = middle('rows');
  const memory = backend.memory.size;
  return {
    kind,
    nodes,
    edges,
    made,
    shortest,
    median: middle('time'),
    planning: middle('planning'),
    rows,
    memory,
  };
}

/** Examples that end where a walk of T steps from their source does. */
function walksOn(graph: Graph, count: number): StepWorld {
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
  return { graph, ...world, sources, destinations };
}

const milliseconds = (time: number): string => `${time.toFixed(time < 100 ? 1 : 0)} ms`;

/** The table, and whether the steps on geometric graphs follow their cones. */
export function scaleReport(figures: readonly ScaleFigures[]): string {
  const smallest = (kind: string): ScaleFigures => figures.find((each) => each.kind === kind)!;
  const header = [
    'graph',
    'nodes',
    'edges',
    'made in',
    'step',
    'median',
    '/ smallest',
    'planning',
    'rows',
    'memory',
  ];
  const rows = figures.map((each) => [
    each.kind,
    String(each.nodes),
    String(each.edges),
    `${(each.made / 1000).toFixed(1)} s`,
    milliseconds(each.shortest),
    milliseconds(each.median),
    (each.shortest / smallest(each.kind).shortest).toFixed(2),
    `${((100 * each.planning) / each.median).toFixed(1)} %`,
    String(each.rows),
    megabytes(each.memory),
  ]);
  const geometric = figures.filter(({ kind }) => kind === 'geometric');
  const [first, second, last] = [geometric[0], geometric[1], geometric.at(-1)!];
  const perRow = (of: ScaleFigures): number => of.shortest / of.rows;
  const verdict = (what: string, ratio: number, bar: number): string =>
    `${what}: ${ratio.toFixed(2)} ×, wanted at most ${bar} ×: ${ratio <= bar ? 'holds' : 'DOES NOT HOLD'}`;
  return [
    formatTable(header, rows),
    '',
    verdict(`a step on ${last.nodes} nodes against ${first.nodes}`, last.shortest / first.shortest, 2),
    verdict(
      `a row of it on ${second.nodes} nodes against ${first.nodes}`,
      perRow(second) / perRow(first),
      1.3,
    ),
  ].join('\n');
}
