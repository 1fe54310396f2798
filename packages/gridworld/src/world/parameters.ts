import { expectOneOf, rejectUnknownOptions } from '@flowgrad/tensor';
import { HISTORIES } from './latent-direction.ts';
import type { LatentDirection } from './latent-direction.ts';

/** What the map of a world depends on, beside its seed. */
export interface MapParameters {
  /** N: the world has N × N cells. */
  readonly size: number;
  /** The fraction of nodes removed, p_node_drp. */
  readonly nodeDrop: number;
  /** The fraction of undirected edges removed, p_edge_drp. */
  readonly edgeDrop: number;
}

/** All parameters of a generated dataset but its seed. */
export interface WorldParameters extends MapParameters {
  /** The name of the dataset group, or any other name. */
  readonly name: string;
  readonly latentDirection: LatentDirection;
  /** T, the largest number of steps of a trajectory. */
  readonly steps: number;
  /** σ, how far sampled edges stray from the latent direction. */
  readonly sigma: number;
  /** Rollouts from each source. */
  readonly rollouts: number;
}

/** A larger world or walk would overflow the keys of its tables. */
const LARGEST_SIZE = 1024;
const LARGEST_STEPS = 1024;
const LONGEST_NAME = 100;

const MAP_KEYS = ['size', 'nodeDrop', 'edgeDrop'];
const WORLD_KEYS = [...MAP_KEYS, 'name', 'latentDirection', 'steps', 'sigma', 'rollouts'];
const LATENT_NUMBERS = ['a1', 'b1', 'a2', 'b2', 'omega', 'lambda1', 'lambda2', 'phi'] as const;

export function checkMapParameters(where: string, { size, nodeDrop, edgeDrop }: MapParameters): void {
  checkInteger(where, 'size', size, 1, LARGEST_SIZE);
  checkNumber(where, 'nodeDrop', nodeDrop, 0, 1);
  checkNumber(where, 'edgeDrop', edgeDrop, 0, 1);
}

/**
 * Raises, with `where` in front, unless every parameter of a world is there and in its range, and nothing else is.
 */
export function checkWorldParameters(where: string, parameters: WorldParameters): void {
  rejectUnknownOptions(where, parameters, WORLD_KEYS);
  checkMapParameters(where, parameters);
  checkName(where, parameters.name);
  checkInteger(where, 'steps', parameters.steps, 0, LARGEST_STEPS);
  // Below this, 2/σ² is so large that only rounding would choose between two directions.
  checkNumber(where, 'sigma', parameters.sigma, 1e-3, 1e3);
  checkInteger(where, 'rollouts', parameters.rollouts, 1, 2 ** 20);
  checkLatentDirection(where, parameters.latentDirection);
}

/** Names become names of folders, where `..` is another place and a control character a trap. */
function checkName(where: string, name: unknown): void {
  if (typeof name !== 'string') {
    throw new TypeError(`${where}: expected name to be a string, got ${String(name)}`);
  }
  if (name.length >= 1 && name.length <= LONGEST_NAME && !/^\.+$|[\u0000-\u001f\u007f]/.test(name)) return;
  throw new RangeError(
    `${where}: expected name to be 1..${LONGEST_NAME} characters, none of them a control character, and not dots alone, ` +
      `got ${JSON.stringify(name.slice(0, 40))} of ${name.length}`,
  );
}

function checkLatentDirection(where: string, latent: LatentDirection): void {
  if (typeof latent !== 'object' || latent === null) {
    throw new TypeError(`${where}: expected latentDirection to be an object, got ${String(latent)}`);
  }
  rejectUnknownOptions(`${where}: latentDirection`, latent, [...LATENT_NUMBERS, 'history']);
  for (const key of LATENT_NUMBERS) checkNumber(where, `latentDirection.${key}`, latent[key], -1e3, 1e3);
  expectOneOf(where, 'latentDirection.history', latent.history, HISTORIES);
}

function checkInteger(where: string, name: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new RangeError(
      `${where}: expected ${name} to be an integer in ${least}..${most}, got ${String(value)}`,
    );
  }
}

function checkNumber(where: string, name: string, value: number, least: number, most: number): void {
  if (typeof value !== 'number' || !(value >= least && value <= most)) {
    throw new RangeError(
      `${where}: expected ${name} to be a number in ${least}..${most}, got ${String(value)}`,
    );
  }
}
