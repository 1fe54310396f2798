/** The paper's figure: the true walk, the latent directions, and where the attention of each model goes. */
import { latentArrows } from '@flowgrad/gridworld';
import type { GridMap } from '@flowgrad/gridworld';
import { markup } from '../markup.ts';
import { nameMarkup } from '../name-markup.ts';
import type { Content, Markup } from '../markup.ts';
import { formatFixed } from '../number-format.ts';
import { beltOf, shareOnWalk } from './attention-example.ts';
import type { AttentionExample } from './attention-example.ts';
import { levelCount, levelOf, scaleMarks } from './attention-scale.ts';
import { cropOf } from './crop.ts';
import {
  arrowsPath,
  cellsPath,
  centreOf,
  crossPath,
  diamondPath,
  directionField,
  edgesPath,
  walkPath,
} from './map-shapes.ts';

/** `id` is unique on the page: the map is drawn once, and every panel refers to it. */
export function attentionFigure(example: AttentionExample, id: string): Markup {
  const { world, walk, shown } = example;
  const { map } = world;
  const flows = shown.flatMap(({ name, attention }) =>
    attention.focused ? [{ name, attention, focused: attention.focused }] : [],
  );
  const nodes = flows.map(({ focused }) => beltOf(focused));
  // The paper's figure has worlds of 16 × 16.
  const large = cropOf(map, walk, nodes, { margin: 2, least: 16, isSquare: true });
  const small = cropOf(map, walk, nodes, { margin: 0.5, least: 6 });
  const field = arrowsPath(map, directionField(world));
  const use = (part: string): Markup => markup`<use href="#${id}-${part}"/>`;
  const panel = (box: string, label: string, content: Markup): Markup =>
    markup`<svg class="map" viewBox="${box}" role="img"><title>${label}</title>${content}</svg>`;
  const belts = flows.map(
    ({ name, attention, focused }) =>
      markup`<figure>${panel(
        large,
        `Attention of ${name}`,
        markup`${use('map')}${use('edges')}${cellMarks(map, beltOf(focused))}${stopMarks(map, attention.stopped?.at(-1))}${use('walk')}`,
      )}<figcaption>${name}<span class="note">${rankNote(attention.top, walk)}</span></figcaption></figure>\n`,
  );
  const steps = flows.map(
    ({ name, focused, attention: { stopped } }) =>
      markup`<h4>${nameMarkup(name)}</h4><div class="steps">${focused.map(
        (step, t) =>
          markup`<figure>${panel(
            small,
            `Attention of ${name} at step ${t}`,
            markup`${use('map')}${cellMarks(map, new Map(step))}${stopMarks(map, stopped?.[t])}${use('path')}${walkerMark(map, walk, t)}`,
          )}<figcaption>t = ${t}<span class="note">${formatFixed(100 * shareOnWalk(step, walk), 0)} %</span></figcaption></figure>\n`,
      )}</div>\n`,
  );
  return markup`${symbols(example, id)}<div class="belts"><figure>${panel(
    large,
    'The true trajectory and the latent directions',
    markup`${use('map')}${use('edges')}${use('walk')}<path class="field" d="${field}"/><path class="arrows" d="${arrowsPath(map, latentArrows(world, { trajectory: walk.slice(0, -1) }))}"/>`,
  )}<figcaption>The true walk<span class="note">latent directions as arrows; seed ${example.seed}</span></figcaption></figure>\n${belts}</div>
${flows.length > 0 && attentionKey({ hasStopped: flows.some(({ attention }) => attention.stopped) })}${steps}`;
}

function symbols({ world, walk }: AttentionExample, id: string): Markup {
  const { map } = world;
  const nodes = Array.from({ length: map.graph.nodeCount }, (_, node) => node);
  const [x, y] = centreOf(map, walk[0]);
  const line = walkPath(map, walk);
  // Where no edge was removed, neighbours are joined, and lines would say no more.
  const edges = world.parameters.edgeDrop > 0 ? edgesPath(map) : '';
  return markup`<svg class="symbols" width="0" height="0" aria-hidden="true"><defs>
<g id="${id}-map"><path class="nodes" d="${cellsPath(map, nodes)}"/></g>
<g id="${id}-edges"><path class="edges" d="${edges}"/></g>
<g id="${id}-path"><path class="path" d="${line}"/></g>
<g id="${id}-walk" class="walk">${['halo', 'mark'].map(
    (layer) =>
      markup`<path class="${layer}" d="${line}"/><circle class="${layer}" cx="${x}" cy="${y}" r=".6"/><path class="${layer}" d="${diamondPath(map, walk[walk.length - 1])}"/>`,
  )}</g>
</defs></svg>\n`;
}

/** One path for each colour, the strongest last. */
function cellMarks(map: GridMap, attention: ReadonlyMap<number, number>): Markup {
  const nodes = Array.from({ length: levelCount }, (): number[] => []);
  for (const [node, value] of attention) nodes[levelOf(value)]?.push(node);
  return markup`<g class="cells">${nodes.map(
    (of, level) => of.length > 0 && markup`<path class="attention-${level}" d="${cellsPath(map, of)}"/>`,
  )}</g>`;
}

/** A cross where attention has stopped for good, the larger the more of it. */
function stopMarks(map: GridMap, stopped: readonly (readonly [number, number])[] = []): Content {
  const crosses = stopped.map(([node, share]) => crossPath(map, node, share)).join('');
  return (
    crosses !== '' &&
    markup`<g class="stops"><path class="halo" d="${crosses}"/><path class="stopped" d="${crosses}"/></g>`
  );
}

/** Where the walker is; after its end it stays there. */
function walkerMark(map: GridMap, walk: readonly number[], t: number): Markup {
  const [x, y] = centreOf(map, walk[Math.min(t, walk.length - 1)]);
  const circle = (layer: string): Markup => markup`<circle class="${layer}" cx="${x}" cy="${y}" r=".62"/>`;
  return markup`<g class="walker">${circle('halo')}${circle('mark')}</g>`;
}

export function rankNote(top: readonly (readonly [number, number])[], walk: readonly number[]): string {
  const rank = top.findIndex(([node]) => node === walk[walk.length - 1]) + 1;
  return rank === 0 ? `destination not among the first ${top.length}` : `destination ranked ${rank}`;
}

/** The colours of attention with what they stand for, and the marks of the walk. */
export function attentionKey({ hasStopped = false, source = 'source, or the walker at t' } = {}): Markup {
  const [width, left] = [240, 14];
  const stripes = Array.from(
    { length: levelCount },
    (_, level) =>
      markup`<rect class="attention-${level}" x="${left + (level * width) / levelCount}" y="4" width="${width / levelCount}" height="10"/>`,
  );
  const labels = scaleMarks.map(
    ({ position, label }) =>
      markup`<text x="${left + position * width}" y="27" text-anchor="middle">${label}</text>`,
  );
  return markup`<p class="key"><span>attention</span> <svg viewBox="0 0 268 32" width="268" height="32" role="img"><title>Colours from 0.001 to 1, by powers of ten</title>${stripes}${labels}</svg>
<span><svg viewBox="-1 -1 2 2" width="16" height="16" class="walk" aria-hidden="true"><circle class="mark" r=".6"/></svg> ${source}</span>
<span><svg viewBox="-1 -1 2 2" width="18" height="18" class="walk" aria-hidden="true"><path class="mark" d="M0-.8l.8.8l-.8.8l-.8-.8z"/></svg> destination</span>${
    hasStopped &&
    markup`
<span><svg viewBox="-1 -1 2 2" width="16" height="16" aria-hidden="true"><path class="stopped" d="M-.6-.6l1.2 1.2m0-1.2l-1.2 1.2"/></svg> has stopped for good, 5 % and more</span>`
  }</p>\n`;
}
