import { createGridMap } from './grid-map.ts';
import type { GridMap } from './grid-map.ts';
import { parseGroupName } from './group-name.ts';
import { checkWorldParameters } from './parameters.ts';
import type { WorldParameters } from './parameters.ts';
import { StepDistributions } from './step-distributions.ts';

/** A map and the dynamics that move over it. */
export interface World {
  readonly parameters: WorldParameters;
  readonly map: GridMap;
  /** P(e | t, x, y), shared by the sampler and the exact ceiling. */
  readonly stepDistributions: StepDistributions;
}

/** The world of a group name, or of parameters of one's own, at a seed. */
export function createWorld(group: string | WorldParameters, { seed }: { readonly seed: number }): World {
  const parameters = readParameters('createWorld', group);
  const { size, nodeDrop, edgeDrop } = parameters;
  return worldOnMap(createGridMap({ size, nodeDrop, edgeDrop, seed }), parameters);
}

/** The world of a given map, whichever seed or file it came from. */
export function worldOnMap(map: GridMap, group: string | WorldParameters): World {
  const parameters = readParameters('worldOnMap', group);
  if (map.size !== parameters.size) {
    throw new RangeError(
      `worldOnMap: expected a map of size ${parameters.size} (${parameters.name}), got ${map.size}`,
    );
  }
  const { latentDirection, sigma, steps, size } = parameters;
  const largest = (size - 1) * (latentDirection.history === 'sum' ? steps + 1 : 1);
  checkAngles(parameters, largest);
  return { parameters, map, stepDistributions: new StepDistributions(latentDirection, sigma, largest) };
}

/** Beyond that many turns an angle has lost the digits that tell one direction from another. */
const LARGEST_ANGLE = 1e6;

function checkAngles({ latentDirection, steps }: WorldParameters, largest: number): void {
  const { omega, lambda1, lambda2, phi } = latentDirection;
  const theta = Math.abs(omega) * steps + (Math.abs(lambda1) + Math.abs(lambda2)) * largest + Math.abs(phi);
  if (theta >= LARGEST_ANGLE) {
    throw new RangeError(
      `worldOnMap: expected θ below ${LARGEST_ANGLE}, got up to ${theta} (smaller ω, λ₁ or λ₂)`,
    );
  }
}

function readParameters(where: string, group: string | WorldParameters): WorldParameters {
  return typeof group === 'string' ? parseGroupName(group) : checkWorldParameters(where, group);
}

export function checkNode(where: string, name: string, map: GridMap, node: number): void {
  const { nodeCount } = map.graph;
  if (!Number.isInteger(node) || node < 0 || node >= nodeCount) {
    throw new RangeError(
      `${where}: expected ${name} to be a node of the map (${nodeCount} nodes), got ${String(node)}`,
    );
  }
}
