/** Makes a grid world: dynamics, N, T, σ, drops, seed. */
import { runFields } from '@flowgrad/evaluation';
import { DYNAMICS, HISTORIES, LATENT_FIELDS } from '@flowgrad/gridworld';
import type { DynamicsName, LatentDirection } from '@flowgrad/gridworld';
import { dynamicsName, worldFields } from '../configuration/configuration.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { element } from './element.ts';
import { selectField, settingFields } from './fields.ts';
import type { Playground } from './playground.ts';
import type { State } from './state.ts';
import type { Store } from './store.ts';
import { keepWrongFields } from './wrong-fields.ts';

type World = Configuration['world'];

const dynamics = [
  ['LINE', 'LINE: a straight line'],
  ['SINE', 'SINE: turns with time'],
  ['LOCATION', 'LOCATION: depends on the place'],
  ['HISTORY', 'HISTORY: depends on the way'],
  ['OWN', 'One of your own'],
] as const;

const histories = { none: 'of here', max: 'largest so far', sum: 'sum so far' };
const latentFields = {
  ...LATENT_FIELDS,
  history: { ...LATENT_FIELDS.history, labels: HISTORIES.map((name) => histories[name]) },
};

const { size, steps, nodeDrop, edgeDrop } = worldFields;
/** A world outside of these is never trained on, whatever else it has: it has too few nodes, or walks that go nowhere. */
const trainedFields = {
  ...worldFields,
  size: { ...size, least: 2 },
  steps: { ...steps, least: 1 },
  nodeDrop: { ...nodeDrop, most: 0.999 },
  edgeDrop: { ...edgeDrop, most: 0.999 },
};

export function worldForm(store: Store<State>, { configure }: Playground): HTMLElement {
  const { get, draw } = store;
  const onWrong = keepWrongFields(store);
  const change = (world: Partial<World>, seed?: number): void => {
    const { configuration } = get();
    void configure({
      ...configuration,
      world: { ...configuration.world, ...world },
      seed: seed ?? configuration.seed,
    });
  };
  const changeLatent = (changes: Partial<LatentDirection>): void =>
    change({ latentDirection: { ...get().configuration.world.latentDirection, ...changes } });

  const kind = selectField<DynamicsName | 'OWN'>('Dynamics', dynamics, (name) => {
    own.open = name === 'OWN';
    if (name !== 'OWN') change({ latentDirection: DYNAMICS[name] });
  });
  const fields = settingFields(trainedFields, { onChange: (changes) => change(changes), onWrong });
  const seed = settingFields(
    { seed: runFields.seed },
    { onChange: (changes) => change({}, changes.seed), onWrong },
  );
  const another = element(
    'button',
    { type: 'button', onclick: () => change({}, get().configuration.seed + 1) },
    'Another world',
  );
  const latent = settingFields(latentFields, { onChange: changeLatent, onWrong });
  const own = element(
    'details',
    {},
    element('summary', {}, 'Latent direction'),
    element('p', { className: 'formula' }, '(a₁ cos θ + b₁, a₂ sin θ + b₂)\nθ = ω t + λ₁ x + λ₂ y + φ'),
    element('div', { className: 'fields narrow' }, ...Object.values(latent.elements)),
  );

  draw(['configuration'], ({ configuration: { world, data, seed: seedNow } }) => {
    const isGrid = (): boolean => !data;
    kind.show(dynamicsName(world.latentDirection) ?? 'OWN');
    fields.show(world, isGrid);
    latent.show(world.latentDirection, isGrid);
    seed.show({ seed: seedNow }, isGrid);
  });
  return element(
    'div',
    { className: 'world-form' },
    element(
      'div',
      { className: 'fields' },
      kind.element,
      ...Object.values(fields.elements),
      seed.elements.seed,
    ),
    own,
    another,
  );
}
