/** What the page asks of the world worker. */
import type { RawAndFiltered } from '@flowgrad/data';
import type { DatasetStatistics, GridMap, WorldParameters } from '@flowgrad/gridworld';
import { fieldSchema, listOf, record, valueOf } from '@flowgrad/schema';
import * as v from 'valibot';
import type { InferOutput } from 'valibot';
import type { AnswersOf, Protocol } from './channel.ts';

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const indices = valueOf<Int32Array>('to be indices', (value) => value instanceof Int32Array);
const node = fieldSchema({ kind: 'integer', about: 'a node' });

/** A world as plain arrays. */
const worldView = record({
  parameters: valueOf<WorldParameters>('to be the parameters of a world', isObject),
  map: valueOf<GridMap>('to be a map', isObject),
  statistics: valueOf<DatasetStatistics>('to be statistics', isObject),
  /** The edges that flowing attention is given by: the map's, and a self-loop for each node. */
  senders: indices,
  receivers: indices,
  /** A source of the test split, to begin with. */
  testSource: node,
});
export type WorldView = InferOutput<typeof worldView>;

/** What is known of a source without any model. */
const sourceView = record({
  source: node,
  /** The rollouts that the dataset is made of. */
  rollouts: listOf(indices),
  /** [nodes] P(destination | source); absent where it is out of reach. */
  destinations: v.exactOptional(valueOf<Float64Array>('to be doubles', (x) => x instanceof Float64Array)),
});
export type SourceView = InferOutput<typeof sourceView>;

export const worldProtocol = {
  make: {
    takes: record({
      /** `generateDataset` looks at it. */
      group: valueOf<string | WorldParameters>(
        'to be a name or the parameters of a world',
        (group) => typeof group === 'string' || isObject(group),
      ),
      seed: fieldSchema({ kind: 'seed', about: 'seed of the data' }),
    }),
    gives: worldView,
  },
  lookAt: { takes: record({ source: node }), gives: sourceView },
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
