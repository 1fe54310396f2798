/** What each map shows, from the page's state. */
import { latentDirectionAt } from '@flowgrad/gridworld';
import type { NodeArrow } from '@flowgrad/gridworld';
import { attentionScale } from '../drawing/attention-scale.ts';
import { attentionAt, beltOf } from '../drawing/belt.ts';
import type { Picture } from '../drawing/picture.ts';
import type { Watched } from '../protocol/training-protocol.ts';
import type { WorldView } from '../protocol/world-protocol.ts';
import { classesOf, nameOf, placesOf } from './places.ts';
import type { State } from './state.ts';

/** So few have room for all their names. */
const fewNodes = 16;

const belts = new WeakMap<Watched, Float32Array>();

function beltOfWatched(watched: Watched): Float32Array | undefined {
  if (!watched.focused) return undefined;
  const known = belts.get(watched) ?? beltOf(watched.focused);
  belts.set(watched, known);
  return known;
}

/** The distribution that a run's map shows; nothing of models without flow before the end. */
export function amountsOf(state: State, run: number): ArrayLike<number> | undefined {
  const watched = state.watched[run] as Watched | undefined;
  if (state.layer === 'exact') return state.sourceView?.destinations;
  if (!watched) return undefined;
  switch (state.layer) {
    case 'destinations':
      return watched.probabilities;
    case 'belt':
      return beltOfWatched(watched);
    case 'attention': {
      if (watched.focused) return attentionAt(watched.focused, state.time);
      return state.time >= (state.world?.steps ?? 0) ? watched.probabilities : undefined;
    }
  }
}

/** One for each run, all on one scale. */
export function picturesOf(state: State): Picture[] {
  const { world, watched, sourceView, source, theme, marked, zoom } = state;
  const places = placesOf(state);
  if (!world || !places) return [];
  const amounts = Array.from({ length: Math.max(1, state.configuration.runs.length) }, (_, run) =>
    amountsOf(state, run),
  );
  const most = amounts.reduce((largest, each) => Math.max(largest, mostOf(each)), 0);
  const scale = attentionScale(state.scale, most);
  const arrows = state.showDirections ? arrowsAt(world, Math.floor(state.time)) : undefined;
  const classes = classesOf(world)?.classes;
  const edges = { senders: world.senders, receivers: world.receivers, ...(classes && { classes }) };
  const pointedAt = [...new Set([source, marked])].filter((node) => node !== undefined);
  const labelled =
    world.nodeCount > fewNodes ? pointedAt : Array.from({ length: world.nodeCount }, (_, node) => node);
  return amounts.map((own, run) => {
    const flowing = state.layer === 'attention' && state.showFlow && flowAt(watched[run], state.time);
    return {
      ...{ places, zoom, edges },
      ...(world.map && { map: world.map }),
      theme,
      scale,
      ...(own && { amounts: own }),
      ...stoppedOf(state, run),
      ...(flowing && { flow: { senders: world.senders, receivers: world.receivers, amounts: flowing } }),
      ...(arrows && { arrows }),
      ...(state.showWalks && sourceView && { walks: sourceView.rollouts }),
      ...(state.showExact && sourceView?.destinations && { rings: sourceView.destinations }),
      ...(source !== undefined && { source }),
      ...(marked !== undefined && { marked }),
      // Cells are named in words below the map.
      ...(!world.map && { labels: labelled.map((node) => [node, nameOf(world, node)] as const) }),
    };
  });
}

/** What has stopped by the time that is shown; by the end, where all times are. */
function stoppedOf({ layer, watched, time }: State, run: number): Pick<Picture, 'stopped'> {
  const stopped = (watched[run] as Watched | undefined)?.stopped;
  if (!stopped || layer === 'exact') return {};
  return { stopped: layer === 'attention' ? attentionAt(stopped, time) : stopped.at(-1)! };
}

/** What flows from the step that is shown to the next; after the last step nothing does. */
const flowAt = (watched: Watched | undefined, time: number): Float32Array | undefined =>
  watched?.flowing?.[Math.floor(time)];

function mostOf(amounts: ArrayLike<number> | undefined): number {
  let most = 0;
  for (let i = 0; i < (amounts?.length ?? 0); i++) most = Math.max(most, amounts![i]);
  return most;
}

let lastArrows:
  { readonly world: WorldView; readonly time: number; readonly arrows: NodeArrow[] } | undefined;

/** The latent direction of every node at one time; a node's history is that node alone. */
function arrowsAt(world: WorldView, time: number): NodeArrow[] | undefined {
  if (lastArrows?.world === world && lastArrows.time === time) return lastArrows.arrows;
  const { map, parameters } = world;
  if (!map || !parameters) return undefined;
  const arrows = Array.from(map.x, (x, node) => {
    const [dx, dy] = latentDirectionAt(parameters.latentDirection, time, x, map.y[node]);
    return { node, dx, dy };
  });
  lastArrows = { world, time, arrows };
  return arrows;
}
