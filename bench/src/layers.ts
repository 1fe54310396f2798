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

/** What is known of a form. */
export interface LayerFigures {
  /** Milliseconds: the shortest of the runs, and the middle one. */
  readonly shortest: number;
  readonly median: number;
  /** Bytes of tensors at the end of the forward pass, inputs included. */
  readonly bytes: number;
  /** Bytes of linear memory at the end, which never shrinks: the peak. */
  readonly memory: number;
  /** The loss, and the mean square of the gradient of h: all forms must agree. */
  readonly loss: number;
  readonly slope: number;
}

export async function benchLayers(options: LayerBenchOptions): Promise<string> {
  const graph = scatteredGraph(options.nodes, options.edges);
  const figures = new Map<string, LayerFigures>();
  for (const [name, form] of Object.entries(forms)) {
    options.onProgress(name);
    figures.set(name, await onFreshWasm((backend) => measureForm(backend, graph, form, options)));
  }
  expectAgreement(figures);
  const rule = await onFreshWasm(() => Promise.resolve(explanation(graph)));
  return `${layerReport(figures)}\n\n${rule}`;
}

/** Each node receives as many edges, from senders far apart, so that what is read lies scattered as in real graphs. */
function scatteredGraph(nodeCount: number, edgeCount: number): Graph {
  if (edgeCount % nodeCount !== 0 || edgeCount > nodeCount ** 2) {
    throw new RangeError(`bench: expected edges to be a multiple of ${nodeCount} nodes, got ${edgeCount}`);
  }
  const receivers = Int32Array.from({ length: edgeCount }, (_, e) => e % nodeCount);
  const senders = receivers.map((j, e) => (j * 48271 + Math.floor(e / nodeCount) * 40503 + 1) % nodeCount);
  return createGraph({ nodeCount, senders, receivers });
}

async function measureForm(
  backend: WasmBackend,
  graph: Graph,
  form: WeightedSum,
  { channels, runs }: LayerBenchOptions,
): Promise<LayerFigures> {
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
  const step = (): { loss: Tensor; slope: Tensor } =>
    scope(() => {
      const { value, grads } = valueAndGrad(() => {
        const loss = mean(square(layer.apply(form(inputs, h))));
        bytes = Math.max(bytes, memory().bytes);
        return loss;
      }, wanted);
      return { loss: value, slope: mean(square(grads.get(h)!)) };
    }, 'layer');
  const times: number[] = [];
  let [loss, slope] = [0, 0];
  // The first run warms up.
  for (let run = 0; run <= runs; run++) {
    const start = performance.now();
    const result = step();
    await backend.synchronise();
    if (run > 0) times.push(performance.now() - start);
    [loss, slope] = [await result.loss.item(), await result.slope.item()];
    result.loss.dispose();
    result.slope.dispose();
  }
  owner.dispose();
  times.sort((a, b) => a - b);
  const figures = { shortest: times[0], median: times[(times.length - 1) >> 1], bytes, loss, slope };
  return { ...figures, memory: backend.memory.size };
}

/** A form that is fast because it computes something else must not win. */
export function expectAgreement(figures: ReadonlyMap<string, LayerFigures>): void {
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
