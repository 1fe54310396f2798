/** Picks the source of a dataset by its name, what is asked, and how large the maps are. */
import { noZoom } from '../drawing/map-layout.ts';
import { element } from './element.ts';
import { zoomed } from './map-gestures.ts';
import { nameOf } from './places.ts';
import type { Playground } from './playground.ts';
import type { State } from './state.ts';
import type { Store } from './store.ts';
import { wrongNote } from './wrong-fields.ts';

/** More names are not offered at once. */
const mostOffered = 50;

export function sourceFields({ get, set, draw }: Store<State>, playground: Playground): HTMLElement {
  const offered = element('datalist', { id: 'node-names' });
  const name = element('input', { type: 'text', spellcheck: false, autocomplete: 'off' });
  name.setAttribute('list', offered.id);
  const queries = element('select', {
    onchange: () => playground.pickQuery(Number(queries.value)),
  });
  const note = wrongNote('wrong-source', name);
  const named = element(
    'div',
    { className: 'field' },
    element('label', {}, element('span', {}, 'Source'), name, offered),
    note.element,
  );
  const asked = element('label', { className: 'field' }, element('span', {}, 'Query'), queries);

  /** Of nodes whose name has the text in it, at its beginning first. */
  const offer = (): void => {
    const { world } = get();
    if (!world) return;
    const found = findNames(world, name.value);
    offered.replaceChildren(...found.map((value) => element('option', { value })));
  };
  name.onfocus = () => {
    name.select();
    offer();
  };
  name.oninput = () => {
    note.say('');
    offer();
  };
  name.onchange = () => {
    const { world } = get();
    const node = world ? nodeCalled(world, name.value.trim()) : -1;
    note.say(node < 0 ? 'Expected the name of a node' : '');
    if (node >= 0) playground.pickSource(node);
  };

  const zoom = (label: string, text: string, change: () => State['zoom']): HTMLElement =>
    element(
      'button',
      { type: 'button', 'aria-label': label, title: label, onclick: () => set({ zoom: change() }) },
      text,
    );
  const sizes = element(
    'div',
    { className: 'buttons sizes', role: 'group', 'aria-label': 'Size' },
    zoom('Larger', '+', () => zoomed(get().zoom, 1.5)),
    zoom('Smaller', '−', () => zoomed(get().zoom, 1 / 1.5)),
    zoom('Show all', 'All', () => noZoom),
  );
  const progress = element('progress', { max: 1, 'aria-label': 'Layout of the graph' });

  draw(['world', 'source', 'query'], ({ world, source, query }) => {
    named.hidden = !world || world.map !== undefined;
    asked.hidden = !world?.queryNames;
    if (world && source !== undefined && document.activeElement !== name) {
      name.value = nameOf(world, source);
      note.say('');
    }
    if (queries.childElementCount !== (world?.queryNames?.length ?? 0)) {
      const names = world?.queryNames ?? [];
      queries.replaceChildren(...names.map((each, i) => element('option', { value: String(i) }, each)));
    }
    queries.value = String(query ?? '');
  });
  draw(['world', 'layout'], ({ world, layout }) => {
    const share = layout?.share ?? 0;
    progress.hidden = !world || world.map !== undefined || world.positions !== undefined || share === 1;
    progress.value = share;
  });
  return element('div', { className: 'source-fields' }, named, asked, progress, sizes);
}

type World = NonNullable<State['world']>;

function findNames(world: World, text: string): string[] {
  const wanted = text.toLowerCase();
  const [starting, other]: [string[], string[]] = [[], []];
  for (let node = 0; node < world.nodeCount && starting.length < mostOffered; node++) {
    const place = nameOf(world, node).toLowerCase().indexOf(wanted);
    if (place === 0) starting.push(nameOf(world, node));
    else if (place > 0 && other.length < mostOffered) other.push(nameOf(world, node));
  }
  return [...starting, ...other].slice(0, mostOffered);
}

/** By its whole name, else by its number where nodes have no names. */
function nodeCalled(world: World, text: string): number {
  if (world.nodeNames) return world.nodeNames.indexOf(text);
  const [, digits] = /^(?:node )?(\d{1,9})$/.exec(text) ?? [];
  return digits !== undefined && Number(digits) < world.nodeCount ? Number(digits) : -1;
}
