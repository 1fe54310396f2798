/**
 * A weighted GCN layer h'_j = (Σ_i w_ij h_i) W + b, forward and backward, as an edge expression says it and as one would
 * write it by hand: what each form takes of time and of memory.
 */
import { createGraph, edgesOf, explain, sumIn, type Edges, type Graph } from '@flowgrad/graph';
import { createLinear, parameters } from '@flowgrad/nn';
import {
  gather,
  mean,
  memory,
  mul,
  normal,
  parameter,
  randomKey,
  recompute,
  reshape,
  rowIndex,
  scatterAdd,
  scope,
  square,
  traceOps,
  valueAndGrad,
  weightedSum,
  type RowIndex,
  type Tensor,
  type WasmBackend,
} from '@flowgrad/tensor';
import { onFreshWasm } from './backends.ts';
import { megabytes } from './memory.ts';
import { formatTable } from './table.ts';

export interface LayerBenchOptions {
  readonly nodes: number;
  /** A multiple of the nodes, at most their square. */
  readonly edges: number;
  readonly channels: number;
  readonly runs: number;
  readonly onProgress: (what: string) => void;
}

/** What the sums of a form are made of. */
interface LayerInputs {
  readonly edges: Edges;
  readonly senders: RowIndex;
  readonly receivers: RowIndex;
  /** [edges] */
  readonly w: Tensor;
}

/** Σ_i w_ij h_i: [nodes, channels] */
type WeightedSum = (inputs: LayerInputs, h: Tensor) => Tensor;

const edgeExpression = 'edge expression';

const scaledRows = ({ senders, w }: LayerInputs, h: Tensor): Tensor =>
  mul(gather(h, senders), reshape(w, [w.size, 1]));

/** The first is the obvious way; the others are its hand-made rivals. */
const forms: Readonly<Record<string, WeightedSum>> = {
  [edgeExpression]: ({ edges: { sender, edge }, w }, h) => sumIn(sender(h).times(edge(w))),
  'gather, scale, scatterAdd': (inputs, h) => scatterAdd(scaledRows(inputs, h), inputs.receivers),
  'the same, recomputed': (inputs, h) => recompute(() => scatterAdd(scaledRows(inputs, h), inputs.receivers)),
  weightedSum: ({ senders, receivers, w }, h) => weightedSum(w, h, { from: senders, to: receivers }),
};

/** Milliseconds: the shortest of the runs, and the middle one. */
interface LayerTimes {
  readonly shortest: number;
  readonly median: number;
}

interface LayerWeight {
  /** Bytes of tensors at the end of the forward pass, inputs included. */
  readonly bytes: number;
  /** Bytes of linear memory at the end, which never shrinks: the peak. */
  readonly memory: number;
  /** The loss, and the mean square of the gradient of h: all forms must agree. */
  readonly loss: number;
  readonly slope: number;
}

/** What is known of a form. */
export type LayerFigures = LayerTimes & LayerWeight;

export async function benchLayers(options: LayerBenchOptions): Promise<string> {
  const graph = scatteredGraph(options.nodes, options.edges);
  const weights = new Map<string, LayerWeight>();
  for (const [name, form] of Object.entries(forms)) {
    options.onProgress(`the memory of ${name}`);
    weights.set(name, await onFreshWasm((backend) => weigh(backend, graph, form, options)));
  }
  expectAgreement(weights);
  options.onProgress('the times of all');
  const times = await onFreshWasm((backend) => measureTimes(backend, graph, options));
  const figures = Array.from(
    weights,
    ([name, weight]) => [name, { ...weight, ...times.get(name)! }] as const,
  );
  const rule = await onFreshWasm(() => Promise.resolve(explanation(graph)));
  return `${layerReport(new Map(figures))}\n\n${rule}`;
}

/** Each node receives as many edges, from senders far apart, so that what is read lies scattered as in real graphs. */
export function scatteredGraph(nodeCount: number, edgeCount: number): Graph {
  if (edgeCount % nodeCount !== 0 || edgeCount > nodeCount ** 2) {
    throw new RangeError(`bench: expected edges to be a multiple of ${nodeCount} nodes, got ${edgeCount}`);
  }
  const receivers = Int32Array.from({ length: edgeCount }, (_, e) => e % nodeCount);
  const senders = receivers.map((j, e) => (j * 48271 + Math.floor(e / nodeCount) * 40503 + 1) % nodeCount);
  return createGraph({ nodeCount, senders, receivers });
}

interface Layer {
  /** The loss, and the mean square of the gradient of h. */
  step(this: void, form: WeightedSum): { readonly loss: Tensor; readonly slope: Tensor };
  /** The most bytes of tensors at the end of a forward pass. */
  bytes(this: void): number;
  dispose(this: void): void;
}

/** A layer and what it is given. */
function createLayer(graph: Graph, channels: number): Layer {
  const { nodeCount, edgeCount } = graph;
  const key = randomKey(1);
  const owner = scope('a layer and its inputs');
  const inputs: LayerInputs = {
    edges: edgesOf(graph),
    senders: rowIndex(graph.senders, nodeCount),
    receivers: rowIndex(graph.receivers, nodeCount),
    w: normal(key.child('w'), [edgeCount]),
  };
  const h = parameter(scope(() => normal(key.child('h'), [nodeCount, channels])));
  const layer = createLinear({ in: channels, out: channels, key: key.child('layer') });
  const wanted = [h, ...parameters(layer).values()];
  let bytes = 0;
  return {
    step: (form) =>
      scope(() => {
        const { value, grads } = valueAndGrad(() => {
          const loss = mean(square(layer.apply(form(inputs, h))));
          bytes = Math.max(bytes, memory().bytes);
          return loss;
        }, wanted);
        return { loss: value, slope: mean(square(grads.get(h)!)) };
      }, 'layer'),
    bytes: () => bytes,
    dispose: () => {
      owner.dispose();
    },
  };
}

async function weigh(
  backend: WasmBackend,
  graph: Graph,
  form: WeightedSum,
  { channels }: LayerBenchOptions,
): Promise<LayerWeight> {
  const layer = createLayer(graph, channels);
  const result = layer.step(form);
  const [loss, slope] = [await result.loss.item(), await result.slope.item()];
  result.loss.dispose();
  result.slope.dispose();
  const bytes = layer.bytes();
  layer.dispose();
  return { bytes, memory: backend.memory.size, loss, slope };
}

/** The ops of one form's step, each as often as it runs, without views, for which nothing runs. Forms that make the same take the same time. */
export function opsOfForm(name: string, graph: Graph, channels: number): Readonly<Record<string, number>> {
  const layer = createLayer(graph, channels);
  const { ops } = traceOps(() => {
    scope(() => void layer.step(forms[name]));
  });
  layer.dispose();
  const kernels = ops.filter(({ op }) => op !== 'reshape');
  return Object.fromEntries(
    kernels.map(({ op, inputs, outputs, count }) => [`${op} ${inputs} → ${outputs}`, count]),
  );
}

/** Forms take turns, each round beginning with another: a machine that is slow for a while is slow for all of them. */
async function measureTimes(
  backend: WasmBackend,
  graph: Graph,
  { channels, runs }: LayerBenchOptions,
): Promise<ReadonlyMap<string, LayerTimes>> {
  const layer = createLayer(graph, channels);
  const times = new Map(Object.keys(forms).map((name) => [name, [] as number[]]));
  // The first round warms up.
  const all = Object.entries(forms);
  for (let round = 0; round <= runs; round++) {
    const first = round % all.length;
    for (const [name, form] of [...all.slice(first), ...all.slice(0, first)]) {
      const start = performance.now();
      const result = layer.step(form);
      await backend.synchronise();
      if (round > 0) times.get(name)!.push(performance.now() - start);
      result.loss.dispose();
      result.slope.dispose();
    }
  }
  layer.dispose();
  const sorted = Array.from(times, ([name, taken]) => [name, taken.sort((a, b) => a - b)] as const);
  return new Map(
    sorted.map(([name, taken]) => [name, { shortest: taken[0], median: taken[(runs - 1) >> 1] }]),
  );
}

/** A form that is fast because it computes something else must not win. */
export function expectAgreement(figures: ReadonlyMap<string, LayerWeight>): void {
  const [[first, expected], ...others] = figures;
  for (const [name, got] of others) {
    for (const value of ['loss', 'slope'] as const) {
      if (Math.abs(got[value] - expected[value]) <= 1e-4 * Math.abs(expected[value])) continue;
      throw new Error(
        `bench: expected the ${value} of '${name}' to be ${expected[value]}, as of '${first}', got ${got[value]}`,
      );
    }
  }
}

/** At most that, for the obvious way. */
const memoryBar = 0.6e9;
/** Times of the same work differ by so much from run to run. */
const timeBar = 1.05;

/** The table of all forms, and whether the edge expression is as good as the best of the others. */
export function layerReport(figures: ReadonlyMap<string, LayerFigures>): string {
  const best = Math.min(
    ...[...figures].flatMap(([name, { shortest }]) => (name === edgeExpression ? [] : [shortest])),
  );
  const header = ['form', '', 'forward + backward', 'median', '/ best by hand', 'live', 'memory'];
  const rows = [...figures].map(([name, { shortest, median, bytes, memory: size }]) => [
    name,
    '',
    `${shortest.toFixed(0)} ms`,
    `${median.toFixed(0)} ms`,
    (shortest / best).toFixed(2),
    megabytes(bytes),
    megabytes(size),
  ]);
  const { shortest, memory: size } = figures.get(edgeExpression)!;
  const verdict = (what: string, holds: boolean): string => `${what}: ${holds ? 'holds' : 'DOES NOT HOLD'}`;
  return [
    formatTable(header, rows),
    '',
    verdict(
      `${edgeExpression}: ${megabytes(size)}, wanted at most ${megabytes(memoryBar)}`,
      size <= memoryBar,
    ),
    verdict(
      `${edgeExpression}: ${(shortest / best).toFixed(2)} of the fastest by hand, wanted at most ${timeBar}`,
      shortest <= timeBar * best,
    ),
  ].join('\n');
}

/** Which rule computes the edge expression. */
function explanation(graph: Graph): string {
  return scope(() => {
    const { sender, edge } = edgesOf(graph);
    const zero = normal(randomKey(0), [graph.nodeCount, 1]);
    return explain(sender(zero).times(edge(normal(randomKey(0), [graph.edgeCount]))));
  });
}
