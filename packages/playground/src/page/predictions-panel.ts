/** The most likely destinations by the models, beside how likely they really are. */
import { element } from './element.ts';
import { nameOf } from './places.ts';
import type { State } from './state.ts';
import type { Store } from './store.ts';

const rows = 8;

export function predictionsPanel({ set, draw }: Store<State>): HTMLElement {
  const head = element('thead');
  const body = element('tbody');
  const title = element('h2', {}, 'Destinations');

  draw(
    ['watched', 'sourceView', 'world', 'runs', 'source'],
    ({ watched, sourceView, world, runs, source }) => {
      if (!world || source === undefined) return;
      title.textContent = `Destinations from ${nameOf(world, source)}`;
      head.replaceChildren(
        element(
          'tr',
          {},
          element('th', { scope: 'col' }, world.map ? 'Cell' : 'Node'),
          ...runs.map(({ config }, i) =>
            element('th', { scope: 'col', className: `run-${i}` }, config.model),
          ),
          element('th', { scope: 'col', className: 'exact' }, world.map ? 'Exact' : 'Examples'),
        ),
      );
      const exact = sourceView?.source === source ? sourceView.destinations : undefined;
      body.replaceChildren(
        ...topNodes(world.nodeCount, watched[0]?.probabilities, exact).map((node) => {
          const marks = {
            onpointerenter: () => set({ marked: node }),
            onpointerleave: () => set({ marked: undefined }),
          };
          return element(
            'tr',
            { ...marks, 'data-node': String(node) },
            element('th', { scope: 'row' }, nameOf(world, node).replace(/^\((.*)\)$/, '$1')),
            ...runs.map((_, i) => share(watched[i]?.probabilities[node], `run-${i}`)),
            share(exact?.[node], 'exact'),
          );
        }),
      );
    },
  );
  return element(
    'section',
    { className: 'panel', 'aria-label': 'Destinations' },
    title,
    element('table', { className: 'predictions' }, head, body),
  );
}

/** Likely by the first model or in truth; of equals the earlier. */
function topNodes(nodeCount: number, ...by: (ArrayLike<number> | undefined)[]): number[] {
  const most = Array.from({ length: nodeCount }, (_, node) =>
    Math.max(...by.map((each) => each?.[node] ?? 0)),
  );
  return Array.from(most.keys())
    .sort((a, b) => most[b] - most[a] || a - b)
    .slice(0, rows);
}

function share(value: number | undefined, className: string): HTMLElement {
  if (value === undefined) return element('td', {}, '–');
  const bar = element('span', { className: `share ${className}` });
  bar.style.width = `${100 * Math.min(1, value)}%`;
  return element('td', {}, bar, element('span', {}, `${(100 * value).toFixed(1)} %`));
}
