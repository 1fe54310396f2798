/** Cones, kept from epoch to epoch. */
import type { Adjacency } from './adjacency.ts';
import { coneFinder } from './cone-finder.ts';
import type { ConeExample, ExampleCone } from './example-cone.ts';
import type { PlanKind } from './plan-kind.ts';

/**
 * Numbers that are kept at most, 64 MB of them, with those that follow from a cone: about sixteen for each of its nodes. When
 * there are more, all cones are forgotten and made anew.
 */
const capacity = 2 ** 24;
const numbersEach = 16;

/**
 * Finds cones and, as epochs come back to the same pairs, remembers them while they are small together.
 */
export function createConeSearch(
  adjacency: Adjacency,
  kind: PlanKind,
): (example: ConeExample) => ExampleCone {
  const find = coneFinder(adjacency, kind);
  const { nodeCount } = adjacency;
  /** By number of steps. */
  const known: Map<number, ExampleCone>[] = [];
  let kept = 0;
  return (example) => {
    const { source, steps } = example;
    // A regular network reads all nodes at the end, wherever the destination is.
    const { destination, lossOnly } = kind.flow ? example : { destination: undefined, lossOnly: false };
    const key = ((destination ?? nodeCount) * nodeCount + source) * 2 + Number(lossOnly);
    const ofSteps = (known[steps] ??= new Map<number, ExampleCone>());
    const found = ofSteps.get(key);
    if (found) return found;
    const cone = find(example);
    kept += numbersEach * cone.nodes.length;
    if (kept > capacity) {
      known.forEach((each) => {
        each.clear();
      });
      kept = numbersEach * cone.nodes.length;
    }
    ofSteps.set(key, cone);
    return cone;
  };
}

/** Keeps what `make` gave for a cone with it, so that both are forgotten together. */
export function perCone<T, Others extends readonly unknown[]>(
  make: (cone: ExampleCone, ...others: Others) => T,
): (cone: ExampleCone, ...others: Others) => T {
  return (cone, ...others) => (cone.made ??= make(cone, ...others)) as T;
}
