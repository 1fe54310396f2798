/** Chooses what models are trained on: a grid world, a dataset that comes with the page, or one that was opened. */
import type { DatasetCard } from '@flowgrad/evaluation';
import { shippedDatasets } from '../data/shipped.ts';
import { element } from './element.ts';
import type { Opening } from './opening.ts';
import type { Playground } from './playground.ts';
import type { State } from './state.ts';
import type { Store } from './store.ts';
import { worldForm } from './world-form.ts';

const grid = '';

/** Two of one name are told apart by the beginning of their hashes. */
const labelOf = ({ name, sha256 }: DatasetCard, all: readonly DatasetCard[]): string =>
  all.some((other) => other.name === name && other.sha256 !== sha256)
    ? `${name} (${sha256.slice(0, 6)}…)`
    : name;

export function dataPanel(store: Store<State>, playground: Playground, opening: Opening): HTMLElement {
  const { get, draw } = store;
  const choice = element('select', {
    onchange: () => {
      const { datasets } = get();
      const cards = [...shippedDatasets.map(({ card }) => card), ...datasets];
      const card = cards.find(({ sha256 }) => sha256 === choice.value);
      void playground.useData(card);
    },
  });
  const open = element(
    'button',
    {
      type: 'button',
      title: 'A folder with manifest.json, edges.tsv and examples.tsv',
      onclick: opening.pickFolder,
    },
    'Open data',
  );
  const form = worldForm(store, playground);
  const facts = element('p', { className: 'facts' });

  draw(['configuration', 'datasets'], ({ configuration: { data }, datasets }) => {
    const choices = [
      [grid, 'Grid world'],
      ...shippedDatasets.map(({ card, label }) => [card.sha256, label]),
      ...datasets.map((card) => [card.sha256, labelOf(card, datasets)]),
    ];
    const options = choices.map(([value, text]) => element('option', { value }, text));
    // Not while it is open: another list would close it.
    if (choice.childElementCount !== options.length) choice.replaceChildren(...options);
    choice.value = data?.sha256 ?? grid;
    form.hidden = data !== undefined;
  });
  draw(['world'], ({ world }) => {
    facts.textContent = world?.facts ?? '';
  });
  return element(
    'section',
    { className: 'panel', 'aria-label': 'Data' },
    element('h2', {}, 'Data'),
    element(
      'div',
      { className: 'data-choice' },
      element('label', { className: 'field' }, element('span', {}, 'Trained on'), choice),
      open,
    ),
    form,
    facts,
  );
}
