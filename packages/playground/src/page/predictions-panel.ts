/** The most likely destinations by the models, beside how likely they really are. */
import { element } from './element.ts';
import type { State } from './state.ts';
import type { Store } from './store.ts';

const rows = 8;

export function predictionsPanel({ set, draw }: Store<State>): HTMLElement {
  const head = element('thead');
  const body = element('tbody');
  const title = element('h2', {}, 'Destinations');

  draw(['watched', 'sourceView', 'world', 'runs', 'source'], (state) => {
    const { watched, sourceView, world, runs, source } = state;
    if (!world || source === undefined) return;
    const { x, y } = world.map;
    title.textContent = `Destinations from (${x[source]}, ${y[source]})`;
    head.replaceChildren(
      element(
        'tr',
        {},
        element('th', { scope: 'col' }, 'Cell'),
        ...runs.map(({ config }, i) => element('th', { scope: 'col', className: `run-${i}` }, config.model)),
        element('th', { scope: 'col' }, 'Exact'),
      ),
    );
    const exact = sourceView?.source === source ? sourceView.destinations : undefined;
    body.replaceChildren(
      ...topNodes(state).map((node) => {
        const marks = {
          onpointerenter: () => set({ marked: node }),
          onpointerleave: () => set({ marked: undefined }),
        };
        return element(
          'tr',
          { ...marks, 'data-node': String(node) },
          element('th', { scope: 'row' }, `${x[node]}, ${y[node]}`),
          ...runs.map((_, i) => share(watched[i]?.probabilities[node], `run-${i}`)),
          share(exact?.[node], 'exact'),
        );
      }),
    );
  });
  return element(
    'section',
    { className: 'panel', 'aria-label': 'Destinations' },
    title,
    element('table', { className: 'predictions' }, head, body),
  );
}

/** By the first model, else by the truth; of equals the earlier. */
function topNodes({ watched, sourceView }: State): number[] {
  const by: ArrayLike<number> = watched[0]?.probabilities ?? sourceView?.destinations ?? [];
  return Array.from({ length: by.length }, (_, node) => node)
    .sort((a, b) => by[b] - by[a] || a - b)
    .slice(0, rows);
}

function share(value: number | undefined, className: string): HTMLElement {
  if (value === undefined) return element('td', {}, '–');
  const bar = element('span', { className: `share ${className}` });
  bar.style.width = `${100 * Math.min(1, value)}%`;
  return element('td', {}, bar, element('span', {}, `${(100 * value).toFixed(1)} %`));
}
