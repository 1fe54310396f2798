/** Makes the world: dynamics, N, T, σ, drops, seed. */
import { DYNAMICS, HISTORIES } from '@flowgrad/gridworld';
import type { DynamicsName, LatentDirection } from '@flowgrad/gridworld';
import { dynamicsName } from '../configuration/configuration.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { element } from './element.ts';
import { numberField, selectField } from './fields.ts';
import type { Playground } from './playground.ts';
import type { State } from './state.ts';
import type { Store } from './store.ts';

type World = Configuration['world'];

const dynamics = [
  ['LINE', 'LINE: a straight line'],
  ['SINE', 'SINE: turns with time'],
  ['LOCATION', 'LOCATION: depends on the place'],
  ['HISTORY', 'HISTORY: depends on the way'],
  ['OWN', 'One of your own'],
] as const;

const numbers = [
  ['size', 'N', 'The world has N × N cells', 2, 128, 1],
  ['steps', 'T', 'The most steps of a walk, and the steps of attention', 1, 128, 1],
  ['sigma', 'σ', 'How far walks stray from the latent direction', 0.001, 10, 'any'],
  ['nodeDrop', 'Nodes dropped', 'The fraction of cells without a node', 0, 0.9, 'any'],
  ['edgeDrop', 'Edges dropped', 'The fraction of edges removed', 0, 0.9, 'any'],
] as const;

const latentNumbers = [
  ['a1', 'a₁'],
  ['b1', 'b₁'],
  ['a2', 'a₂'],
  ['b2', 'b₂'],
  ['omega', 'ω'],
  ['lambda1', 'λ₁'],
  ['lambda2', 'λ₂'],
  ['phi', 'φ'],
] as const;

export function worldPanel({ get, draw }: Store<State>, { configure }: Playground): HTMLElement {
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
  const fields = numbers.map(([key, label, title, min, max, step]) =>
    numberField({ label, title, min, max, step, onChange: (value) => change({ [key]: value }) }),
  );
  const seed = numberField({
    label: 'Seed',
    title: 'Of the map, the walks and their split',
    min: 0,
    max: 0xffffffff,
    step: 1,
    onChange: (value) => change({}, value),
  });
  const another = element(
    'button',
    { type: 'button', onclick: () => change({}, get().configuration.seed + 1) },
    'Another world',
  );
  const latent = latentNumbers.map(([key, label]) =>
    numberField({
      label,
      min: -1000,
      max: 1000,
      step: 'any',
      onChange: (value) => changeLatent({ [key]: value }),
    }),
  );
  const history = selectField(
    'x, y',
    HISTORIES.map(
      (name) => [name, { none: 'of here', max: 'largest so far', sum: 'sum so far' }[name]] as const,
    ),
    (value) => changeLatent({ history: value }),
  );
  const own = element(
    'details',
    {},
    element('summary', {}, 'Latent direction'),
    element('p', { className: 'formula' }, '(a₁ cos θ + b₁, a₂ sin θ + b₂)\nθ = ω t + λ₁ x + λ₂ y + φ'),
    element('div', { className: 'fields narrow' }, ...latent.map((each) => each.element), history.element),
  );
  const facts = element('p', { className: 'facts' });

  draw(['configuration'], ({ configuration: { world, seed: seedNow } }) => {
    kind.show(dynamicsName(world.latentDirection) ?? 'OWN');
    numbers.forEach(([key], i) => fields[i].show(world[key]));
    latentNumbers.forEach(([key], i) => latent[i].show(world.latentDirection[key]));
    history.show(world.latentDirection.history);
    seed.show(seedNow);
  });
  draw(['world'], ({ world }) => {
    if (!world) return;
    const { nodes, edges, trajectories, trajectoryLength } = world.statistics;
    facts.textContent =
      `${nodes} nodes, ${edges} edges, ${trajectories} trajectories ` +
      `of ${trajectoryLength.toFixed(1)} nodes on average`;
  });
  return element(
    'section',
    { className: 'panel', 'aria-label': 'World' },
    element('h2', {}, 'World'),
    element(
      'div',
      { className: 'fields' },
      kind.element,
      ...fields.map((each) => each.element),
      seed.element,
    ),
    own,
    another,
    facts,
  );
}
