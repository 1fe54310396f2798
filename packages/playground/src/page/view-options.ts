/** What the maps show. */
import type { ScaleName } from '../drawing/attention-scale.ts';
import { element } from './element.ts';
import { checkField, choiceField } from './fields.ts';
import type { LayerName, State } from './state.ts';
import type { Store } from './store.ts';

const overlays = [
  ['showFlow', 'Flow'],
  ['showWalks', 'True rollouts'],
  ['showDirections', 'Latent directions'],
  ['showExact', 'Exact, as rings'],
] as const;

export function viewOptions({ set, draw }: Store<State>): HTMLElement {
  const layer = choiceField<LayerName>(
    'Shown',
    [
      ['attention', 'Attention'],
      ['belt', 'Belt'],
      ['destinations', 'Prediction'],
      ['exact', 'Exact'],
    ],
    (value) => set({ layer: value }),
  );
  const scale = choiceField<ScaleName>(
    'Scale',
    [
      ['log', 'log'],
      ['linear', 'linear'],
    ],
    (value) => set({ scale: value }),
  );
  const checks = overlays.map(([key, label]) => checkField(label, (value) => set({ [key]: value })));
  // A dataset has examples where a world has an exact distribution, and no latent directions.
  const [, walks, directions, rings] = checks.map((each) => each.element);
  draw(['world'], ({ world }) => {
    const isGrid = !world || world.map !== undefined;
    directions.hidden = !isGrid;
    walks.hidden = world?.hasWalks === false;
    walks.lastElementChild!.textContent = isGrid ? 'True rollouts' : 'Ways taken';
    rings.lastElementChild!.textContent = `${isGrid ? 'Exact' : 'Examples'}, as rings`;
    layer.element.lastElementChild!.lastElementChild!.textContent = isGrid ? 'Exact' : 'Examples';
  });
  draw(['layer', 'scale', ...overlays.map(([key]) => key)], (state) => {
    layer.show(state.layer);
    scale.show(state.scale);
    overlays.forEach(([key], i) => checks[i].show(state[key]));
  });
  return element(
    'div',
    { className: 'options' },
    layer.element,
    scale.element,
    element('div', { className: 'checks' }, ...checks.map((each) => each.element)),
  );
}
