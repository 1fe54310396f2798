import type { GridMap } from './grid-map.ts';
import { cos, sin } from './portable-math.ts';

/** How many features each coordinate becomes. */
export interface FourierFeatureOptions {
  /** How many wave numbers k = 1 … frequencies; each gives four features. */
  readonly frequencies: number;
}

/**
 * [nodes, 4·frequencies]: for k = 1 … frequencies, sin αx, cos αx, sin αy, cos αy with α = π k / N.
 *
 * The longest wave is 2N cells, so that opposite borders of the world do not look alike.
 */
export function fourierFeatures(map: GridMap, { frequencies }: FourierFeatureOptions): Float32Array {
  if (!Number.isInteger(frequencies) || frequencies < 0) {
    throw new RangeError(
      `fourierFeatures: expected frequencies to be an integer of at least 0, got ${frequencies}`,
    );
  }
  const { nodeCount } = map.graph;
  const width = 4 * frequencies;
  const features = new Float32Array(nodeCount * width);
  for (let node = 0; node < nodeCount; node++) {
    for (let k = 1; k <= frequencies; k++) {
      const alpha = (Math.PI * k) / map.size;
      const [x, y] = [alpha * map.x[node], alpha * map.y[node]];
      features.set([sin(x), cos(x), sin(y), cos(y)], node * width + 4 * (k - 1));
    }
  }
  return features;
}
