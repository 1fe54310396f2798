import { checked, record, required, together, valueOf } from '@flowgrad/schema';
import type { Fields } from '@flowgrad/schema';
import * as v from 'valibot';
import { LATENT_FIELDS } from './latent-direction.ts';

/** What the map of a world depends on, beside its seed. A larger world or walk would overflow the keys of its tables. */
export const MAP_FIELDS = {
  size: { kind: 'integer', least: 1, most: 1024, label: 'N', about: 'the world has N × N cells' },
  nodeDrop: {
    kind: 'number',
    least: 0,
    most: 1,
    label: 'Nodes dropped',
    about: 'the fraction of cells without a node',
  },
  edgeDrop: {
    kind: 'number',
    least: 0,
    most: 1,
    label: 'Edges dropped',
    about: 'the fraction of undirected edges removed',
  },
} as const satisfies Fields;

/** What the walks of a world depend on, beside its latent direction. */
export const WALK_FIELDS = {
  steps: {
    kind: 'integer',
    least: 0,
    most: 1024,
    label: 'T',
    about: 'the most steps of a walk, and the steps of attention',
  },
  // With less, 2/σ² is so large that only rounding would choose between two directions.
  sigma: {
    kind: 'number',
    least: 1e-3,
    most: 1e3,
    label: 'σ',
    about: 'how far walks stray from the latent direction',
  },
  rollouts: { kind: 'integer', least: 1, most: 2 ** 20, about: 'walks from each source' },
} as const satisfies Fields;

const LONGEST_NAME = 100;

/** Names become names of folders, where `..` is another place and a control character a trap. */
const nameSchema = v.pipe(
  valueOf<string>('to be a string', (name) => typeof name === 'string'),
  together((name: string) =>
    name.length >= 1 && name.length <= LONGEST_NAME && !/^\.+$|[\u0000-\u001f\u007f]/.test(name)
      ? undefined
      : `expected name to be 1..${LONGEST_NAME} characters, none of them a control character, and not dots alone, ` +
        `got ${JSON.stringify(name.slice(0, 40))} of ${name.length}`,
  ),
);

/** Walks take time and memory for each node they visit. */
const MOST_VISITS = 2 ** 29;

const mapSchema = record(required(MAP_FIELDS));
/** The parameters of a world. */
export const worldSchema = v.pipe(
  record({
    ...required(MAP_FIELDS),
    name: nameSchema,
    latentDirection: record(required(LATENT_FIELDS)),
    ...required(WALK_FIELDS),
  }),
  together(({ size, nodeDrop, steps, rollouts }) => {
    const visits = Math.floor(size * size * (1 - nodeDrop) * rollouts * (steps + 1));
    if (visits <= MOST_VISITS) return undefined;
    return (
      `expected walks that visit at most ${MOST_VISITS} nodes, got up to ${visits} in ${rollouts} rollouts of ` +
      `${steps} steps from each node (make rollouts, steps or size smaller)`
    );
  }),
);

/** What the map of a world depends on, beside its seed: see `MAP_FIELDS`. */
export type MapParameters = Readonly<v.InferOutput<typeof mapSchema>>;

/** All parameters of a generated dataset but its seed; `name` is that of the dataset group, or any other. */
export type WorldParameters = Readonly<v.InferOutput<typeof worldSchema>>;

export const checkMapParameters = (where: string, parameters: MapParameters): MapParameters =>
  checked(where, mapSchema, parameters);

/** The parameters, if every one is there and in its range, and nothing else is; else it raises, with `where` in front. */
export const checkWorldParameters = (where: string, parameters: unknown): WorldParameters =>
  checked(where, worldSchema, parameters);
