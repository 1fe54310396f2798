/** The maps: one for each run, with the source to pick and the steps to scrub. */
import type { Picture } from '../drawing/picture.ts';
import type { Drawn } from '../drawing/draw-attention.ts';
import { createMapCanvas } from '../drawing/map-canvas.ts';
import type { MapCanvas } from '../drawing/map-canvas.ts';
import { element } from './element.ts';
import { edgeLegend, legend } from './legend.ts';
import { addGestures } from './map-gestures.ts';
import { picturesOf } from './pictures.ts';
import { nameOf } from './places.ts';
import type { Playground } from './playground.ts';
import type { State } from './state.ts';
import { sourceFields } from './source-fields.ts';
import { stepPlayer } from './step-player.ts';
import type { Store } from './store.ts';
import { viewOptions } from './view-options.ts';

interface MapView {
  readonly canvas: MapCanvas;
  readonly figure: HTMLElement;
  readonly caption: HTMLElement;
  readonly readout: HTMLElement;
}

export interface MapsPanel {
  readonly element: HTMLElement;
  readonly canvases: readonly HTMLCanvasElement[];
}

export function mapsPanel(store: Store<State>, playground: Playground): MapsPanel {
  const { get, draw } = store;
  const views = [0, 1].map((run) => mapView(run));
  const scaleLegend = legend();

  function mapView(run: number): MapView {
    const canvas = createMapCanvas();
    const map = canvas.element;
    map.tabIndex = 0;
    map.className = 'map';
    map.setAttribute('role', 'application');
    map.setAttribute('aria-roledescription', 'map');
    addGestures(store, playground, canvas);
    const caption = element('figcaption');
    const readout = element('p', { className: 'readout', 'data-readout': String(run) });
    return {
      canvas,
      caption,
      readout,
      figure: element('figure', { className: 'view' }, caption, map, readout),
    };
  }

  const drawMaps = (state: State): void => {
    const pictures = picturesOf(state);
    for (const [run, view] of views.entries()) {
      view.figure.hidden = run >= state.configuration.runs.length;
      if (view.figure.hidden || !pictures[run]) continue;
      const drawn = view.canvas.draw(pictures[run]);
      const words = readoutOf(state, run, drawn, pictures[run]);
      if (view.readout.textContent !== words) view.readout.textContent = words;
    }
    if (pictures.length > 0) scaleLegend.show(pictures[0].scale, state.theme);
  };

  draw(
    [
      ...(['world', 'source', 'sourceView', 'watched', 'layer', 'scale', 'time', 'theme', 'marked'] as const),
      ...(['showFlow', 'showWalks', 'showDirections', 'showExact', 'configuration'] as const),
      ...(['layout', 'zoom'] as const),
    ],
    drawMaps,
  );
  draw(['runs', 'configuration'], ({ runs, configuration }) => {
    for (const [run, { caption, canvas }] of views.entries()) {
      const model = configuration.runs[run]?.model;
      if (model === undefined) continue;
      const name = element('span', { className: `swatch run-${run}` }, model);
      caption.replaceChildren(name, runs[run] ? ` after ${runs[run].step} steps` : '');
      canvas.element.setAttribute(
        'aria-label',
        `Map of the nodes with the attention of ${model}. Arrow keys move the source.`,
      );
    }
  });
  const maps = element('div', { className: 'maps' }, ...views.map(({ figure }) => figure));
  draw(['configuration'], ({ configuration }) => maps.classList.toggle('two', configuration.runs.length > 1));
  const resized = new ResizeObserver(() => drawMaps(get()));
  for (const { canvas } of views) resized.observe(canvas.element);

  return {
    element: element(
      'section',
      { className: 'panel stage', 'aria-label': 'Attention' },
      viewOptions(store),
      sourceFields(store, playground),
      maps,
      stepPlayer(store),
      scaleLegend.element,
      edgeLegend(store),
    ),
    canvases: views.map(({ canvas }) => canvas.element),
  };
}

const nothing: Readonly<Record<State['layer'], string>> = {
  attention: 'This model has no attention before the last step: see its destinations.',
  belt: 'This model has no attention before the last step: see its destinations.',
  destinations: 'Not computed yet.',
  exact: 'The exact distribution is out of reach in this world.',
};

function readoutOf(
  state: State,
  run: number,
  drawn: Drawn | undefined,
  { amounts, stopped }: Picture,
): string {
  const { world, layer, watched } = state;
  if (!world || !drawn || !amounts) {
    if (layer === 'exact' && !world?.map) return 'No example starts here.';
    return watched[run] ? nothing[layer] : '…';
  }
  let top = 0;
  for (let node = 1; node < amounts.length; node++) if (amounts[node] > amounts[top]) top = node;
  const peak = `most, ${amounts[top].toFixed(3)}, at ${nameOf(world, top)}`;
  let rest = 0;
  for (let node = 0; node < (stopped?.length ?? 0); node++) rest += stopped![node];
  const still = stopped ? `; × ${rest.toFixed(3)} has stopped for good` : '';
  if (layer === 'belt') return `Belt: the most of each node over all steps; ${peak}${still}`;
  const sum = `sum ${drawn.all.toFixed(4)}, drawn ${drawn.seen.toFixed(4)}`;
  const what = {
    attention: `Attention at t = ${Math.floor(state.time)}`,
    destinations: 'Predicted destinations',
    exact: world.map ? 'Exact destinations' : 'Destinations of the examples',
  }[layer];
  return `${what}: ${sum}; ${peak}${still}`;
}
