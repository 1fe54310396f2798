/** What a model makes of a source: scores of all nodes, and where its attention goes. */
import type { KeptPlans } from '@flowgrad/graph';
import { noGrad } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { inPlan } from './in-plan.ts';
import type { Trainer } from './trainer.ts';

/** The parts of a trainer that predictions need. */
export type Predictor = Pick<Trainer, 'config' | 'graph' | 'model' | 'planner'>;

/** Attention that one source sends out, of models with explicit flow. */
export interface AttentionFlow {
  /** [T + 1][nodes] the focused attention at t = 0 … T. */
  readonly focused: readonly Float32Array[];
  /** [T + 1][nodes] what of it has stopped for good; of models that stop. */
  readonly stopped?: readonly Float32Array[];
  /** [T][edges] the flowing attention of each step, by the edges of the graph with self-loops. */
  readonly flowing?: readonly Float32Array[];
}

/** What a model says of one source: a score for every node, higher where it expects the walker to end. */
export interface Prediction {
  readonly source: number;
  /** What was asked, if anything was. */
  readonly query?: number;
  /** [nodes] the attention after the last step; logits of regular networks. */
  readonly scores: Float32Array;
  /** Absent for regular networks, and unless asked for. */
  readonly attention?: AttentionFlow;
}

/** What is asked for beside the scores. */
export interface PredictOptions {
  /** 'focused' asks for the focused attention of every step, 'flowing' for that of every edge too. */
  readonly attention?: 'none' | 'focused' | 'flowing';
  /** Where plans are kept until the same is asked again; each is freed after its batch unless given. */
  readonly plans?: KeptPlans;
  /** How many are computed together at most; as many as memory allows unless given. */
  readonly batch?: number;
}

/** What the largest tensor of a step may take: as much as every WebGPU device can bind. */
const largestTensor = 2 ** 27;

/** A step without a backward pass is forgotten after the next, so more examples go together than in training, and share the background's states. */
function mostTogether({ config, graph }: Predictor): number {
  const { nodeCount, edgeCount, edgeTypeCount } = graph;
  // A message for each edge, or what each node says along edges of each type.
  const ofExample = 4 * config.options.d * Math.max(edgeCount, nodeCount * edgeTypeCount);
  return Math.max(config.batch, Math.floor(largestTensor / ofExample));
}

/** Where examples start, and what they ask where the model takes queries. */
export interface Questions {
  readonly sources: ArrayLike<number>;
  readonly queries?: ArrayLike<number>;
}

/** What examples ask, each question once, in the order in which they come. */
export function distinctQuestions({ sources, queries }: Questions): Questions {
  const first = new Map<string, number>();
  for (let i = 0; i < sources.length; i++) {
    const key = `${sources[i]} ${queries?.[i]}`;
    if (!first.has(key)) first.set(key, i);
  }
  const asked = [...first.values()];
  return {
    sources: asked.map((i) => sources[i]),
    ...(queries && { queries: asked.map((i) => queries[i]) }),
  };
}

/** One prediction for each of the sources, or questions, batch by batch. A model that has gone NaN raises. */
export async function* predict(
  predictor: Predictor,
  asked: ArrayLike<number> | Questions,
  { attention = 'none', plans, batch: most = mostTogether(predictor) }: PredictOptions = {},
): AsyncGenerator<Prediction> {
  const { config, graph, model, planner } = predictor;
  const { nodeCount, edgeCount } = graph;
  const flows = attention === 'flowing' && model.kind.flow;
  const { sources, queries } = 'sources' in asked ? asked : { sources: asked };
  // Batches of one size, to a source.
  const together = Math.ceil(sources.length / Math.ceil(sources.length / most));
  for (let first = 0; first < sources.length; first += together) {
    const batch = Array.from(sources).slice(first, first + together);
    const ofBatch = queries && Array.from(queries).slice(first, first + together);
    const made = await inPlan(
      { config, graph, model, planner, plans },
      { sources: batch, ...(ofBatch && { queries: ofBatch }) },
      (plan) => {
        const forward = noGrad(() => model.forward(plan, { flows, attention: attention !== 'none' }));
        return {
          scores: forward.scores,
          focused: [...(forward.attention ?? [])],
          stopped: [...(forward.stopped ?? [])],
          flowing: [...(forward.flows ?? [])],
        };
      },
    );
    const [scores, focused, stopped, flowing] = await Promise.all([
      readRows([made.scores], nodeCount),
      readRows(made.focused, nodeCount),
      readRows(made.stopped, nodeCount),
      readRows(made.flowing, edgeCount),
    ]);
    for (const [row, source] of batch.entries()) {
      const own = scores[0](row);
      if (own.some(Number.isNaN)) throw new NotFiniteError(`the scores of source ${source}`);
      const flow = focused.length > 0 && {
        focused: focused.map((of) => of(row)),
        ...(stopped.length > 0 && { stopped: stopped.map((of) => of(row)) }),
        ...(flowing.length > 0 && { flowing: flowing.map((of) => of(row)) }),
      };
      yield {
        source,
        ...(ofBatch && { query: ofBatch[row] }),
        scores: own,
        ...(flow && { attention: flow }),
      };
    }
  }
}

/** Reads the first `width` columns of tensors and frees them; each becomes a function from example to row. */
async function readRows(
  tensors: readonly Tensor[],
  width: number,
): Promise<((row: number) => Float32Array)[]> {
  try {
    const values = await Promise.all(tensors.map((each) => each.data()));
    return values.map((data, i) => (row: number) => {
      const start = row * tensors[i].shape[1];
      return Float32Array.from(data.subarray(start, start + width));
    });
  } finally {
    for (const each of tensors) each.dispose();
  }
}

/** Training or a model has left the numbers. */
export class NotFiniteError extends Error {
  override readonly name = 'NotFiniteError';

  constructor(what: string) {
    super(`expected finite numbers, got NaN or an infinity in ${what}`);
  }
}
