/** Nodes of what is shown: where they lie, what they are called, and which lies next to another. */
import { edgeClasses } from '../drawing/edge-classes.ts';
import type { EdgeClasses } from '../drawing/edge-classes.ts';
import { graphPlaces, gridPlaces } from '../drawing/places.ts';
import type { Places } from '../drawing/places.ts';
import type { State } from './state.ts';

type World = NonNullable<State['world']>;
type Shown = Pick<State, 'world' | 'layout'>;
let last: { readonly of: readonly unknown[]; readonly places: Places } | undefined;

/** As the data says, or as they are laid out by now; undefined before the first layout. */
export function placesOf({ world, layout }: Shown): Places | undefined {
  const positions = world?.positions ?? layout?.positions;
  const of = [world, positions];
  if (last && of.every((each, i) => each === last?.of[i])) return last.places;
  if (!world || (!world.map && !positions)) return undefined;
  const places = world.map ? gridPlaces(world.map) : graphPlaces(positions!, world);
  last = { of, places };
  return places;
}

const knownClasses = new WeakMap<World, EdgeClasses | undefined>();

/** The colours of edges, where there are few types. */
export function classesOf(world: World): EdgeClasses | undefined {
  const { senders, receivers, edgeTypes, edgeTypeNames } = world;
  if (!edgeTypes || !edgeTypeNames) return undefined;
  if (!knownClasses.has(world)) {
    knownClasses.set(world, edgeClasses({ senders, receivers, edgeTypes, edgeTypeNames }));
  }
  return knownClasses.get(world);
}

/** `Dover Square`, `node 17`, or a cell `(3, 4)`. */
export function nameOf({ map, nodeNames }: World, node: number): string {
  if (map) return `(${map.x[node]}, ${map.y[node]})`;
  return nodeNames?.[node] ?? `node ${node}`;
}

/** A node to a side counts as that much farther away than one straight ahead. */
const sideways = 4;

/** The next node in a direction, not more to a side than ahead; −1 where there is none. */
export function neighbour(state: State, [dx, dy]: readonly [number, number]): number {
  const places = placesOf(state);
  const { source } = state;
  if (!places || source === undefined) return -1;
  const { x, y } = places;
  let [found, nearest] = [-1, Infinity];
  for (let node = 0; node < x.length; node++) {
    const [right, up] = [x[node] - x[source], y[node] - y[source]];
    const [ahead, aside] = [right * dx + up * dy, Math.abs(right * dy) + Math.abs(up * dx)];
    const far = ahead + sideways * aside;
    if (ahead <= 0 || aside > ahead || far >= nearest) continue;
    [found, nearest] = [node, far];
  }
  return found;
}
