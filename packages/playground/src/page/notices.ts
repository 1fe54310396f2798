/** What a person should know: seen in a bar, and said to screen readers. */
import { element } from './element.ts';
import type { State } from './state.ts';
import type { Store } from './store.ts';

export function notices({ set, draw }: Store<State>): HTMLElement {
  const text = element('span');
  const close = element(
    'button',
    { type: 'button', 'aria-label': 'Close the message', onclick: () => set({ notice: undefined }) },
    '×',
  );
  const bar = element('div', { className: 'notice', hidden: true }, text, close);
  const status = element('p', { className: 'unseen', role: 'status', 'aria-live': 'polite' });
  draw(['notice'], ({ notice }) => {
    bar.hidden = !notice;
    bar.classList.toggle('problem', notice?.kind === 'problem');
    text.textContent = notice?.text ?? '';
  });
  draw(['status'], ({ status: words }) => {
    status.textContent = words;
  });
  return element('div', {}, bar, status);
}
