import type { GridMap } from './grid-map.ts';
import { cos, sin } from './portable-math.ts';

/** Which waves there are. */
export interface PlaneWaveOptions {
  /** n: how many waves along each axis, −n … n. */
  readonly waves: number;
  /** The length of the longest wave, in cells: 64 unless given. It does not depend on the world, so that worlds can be compared. */
  readonly longest?: number;
}

/** How many features `planeWaves` gives to a node. */
export const planeWaveCount = (waves: number): number => (2 * waves + 1) ** 2 - 1;

/**
 * [nodes, (2n + 1)² − 1]: sin α and cos α with α = 2π(kx + ly) / longest, for the whole numbers k and l up to n in size, of
 * every two that are opposite one. Waves run in all directions, where those of `fourierFeatures` run along the axes.
 */
export function planeWaves(map: GridMap, { waves, longest = 64 }: PlaneWaveOptions): Float32Array {
  if (!Number.isInteger(waves) || waves < 0) {
    throw new RangeError(`planeWaves: expected waves to be an integer of at least 0, got ${waves}`);
  }
  if (!(longest > 0 && longest < Infinity)) {
    throw new RangeError(`planeWaves: expected longest to be a number of cells above 0, got ${longest}`);
  }
  const { nodeCount } = map.graph;
  const features = new Float32Array(nodeCount * planeWaveCount(waves));
  let at = 0;
  for (let node = 0; node < nodeCount; node++) {
    for (let k = 0; k <= waves; k++) {
      for (let l = k === 0 ? 1 : -waves; l <= waves; l++) {
        const alpha = (2 * Math.PI * (k * map.x[node] + l * map.y[node])) / longest;
        features[at++] = sin(alpha);
        features[at++] = cos(alpha);
      }
    }
  }
  return features;
}
