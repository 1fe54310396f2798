/** What the page asks of the world worker: of a grid world, or of a dataset in place of one. */
import type { RawAndFiltered } from '@flowgrad/data';
import type { DatasetCard } from '@flowgrad/evaluation';
import type { GridMap, WorldParameters } from '@flowgrad/gridworld';
import { fieldSchema, listOf, record, valueOf } from '@flowgrad/schema';
import * as v from 'valibot';
import type { InferOutput } from 'valibot';
import { dataFilesSchema } from '../data/data-files.ts';
import type { AnswersOf, Protocol } from './channel.ts';

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const indices = valueOf<Int32Array>('to be indices', (value) => value instanceof Int32Array);
const floats = valueOf<Float32Array>('to be floats', (value) => value instanceof Float32Array);
const node = fieldSchema({ kind: 'integer', about: 'a node' });
const query = fieldSchema({ kind: 'integer', about: 'a query' });
const names = valueOf<readonly string[]>('to be names', (value) => Array.isArray(value));
const text = valueOf<string>('to be text', (value) => typeof value === 'string');
const card = valueOf<DatasetCard>('to be the card of a dataset', isObject);

/** [nodes] each: where nodes lie; y points up. */
const positions = record({ x: floats, y: floats });
export type NodePositions = InferOutput<typeof positions>;

/** What models are trained on, as plain arrays: a grid world, or a dataset. */
const worldView = record({
  steps: node,
  nodeCount: node,
  /** The edges that flowing attention is given by: the graph's, and a self-loop for each node. */
  senders: indices,
  receivers: indices,
  /** Of the edges of the graph, where types have names. */
  edgeTypes: v.exactOptional(indices),
  edgeTypeNames: v.exactOptional(names),
  /** Absent where nothing is known: see `layOut`. */
  positions: v.exactOptional(positions),
  nodeNames: v.exactOptional(names),
  queryNames: v.exactOptional(names),
  /** A question of the test split, to begin with. */
  testSource: node,
  testQuery: v.exactOptional(query),
  /** What there is, in a sentence. */
  facts: text,
  /** Whether examples have the way that was taken. */
  hasWalks: fieldSchema({ kind: 'switch', about: 'whether walks are known' }),
  /** Both of grid worlds alone. */
  parameters: v.exactOptional(valueOf<WorldParameters>('to be the parameters of a world', isObject)),
  map: v.exactOptional(valueOf<GridMap>('to be a map', isObject)),
});
export type WorldView = InferOutput<typeof worldView>;

/** What is known of a source without any model. */
const sourceView = record({
  source: node,
  query: v.exactOptional(query),
  /** The walks of the dataset that start there. */
  rollouts: listOf(indices, Infinity, 0),
  /** [nodes] P(destination | source), exact on grids; of a dataset the share of its examples. Absent where it is not known. */
  destinations: v.exactOptional(valueOf<Float64Array>('to be doubles', (x) => x instanceof Float64Array)),
});
export type SourceView = InferOutput<typeof sourceView>;

/** How far a layout has come, 0 … 1, and where nodes lie by now. */
export const layoutSchema = record({ share: fieldSchema({ kind: 'number', about: 'how far' }), positions });
export type LayoutNews = InferOutput<typeof layoutSchema>;

export const worldProtocol = {
  /** Reads a dataset and looks for mistakes; what was made before stays. */
  read: { takes: record({ files: dataFilesSchema }), gives: card },
  make: {
    takes: record({
      /** `generateDataset` looks at it, or the card has to be that of the files. */
      group: valueOf<string | WorldParameters | DatasetCard>(
        'to be a name, the parameters of a world or the card of a dataset',
        (group) => typeof group === 'string' || isObject(group),
      ),
      seed: fieldSchema({ kind: 'seed', about: 'seed of the data' }),
      files: v.exactOptional(dataFilesSchema),
    }),
    gives: worldView,
  },
  /** Places the nodes by forces between them, the same for the same seed, and tells of it meanwhile; the end comes last. */
  layOut: { takes: record({}), gives: layoutSchema },
  lookAt: { takes: record({ source: node, query: v.exactOptional(query) }), gives: sourceView },
  /** Of the test split; undefined where the exact distribution is out of reach, or if another world was made meanwhile. */
  ceiling: {
    takes: record({}),
    gives: valueOf<RawAndFiltered | undefined>(
      'to be metrics or nothing',
      (value) => value === undefined || isObject(value),
    ),
  },
} satisfies Protocol;
export type WorldCalls = AnswersOf<typeof worldProtocol>;
