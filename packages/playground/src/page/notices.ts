/** What a person should know: seen in bars, and said to screen readers. */
import { element } from './element.ts';
import type { Child } from './element.ts';
import type { Playground } from './playground.ts';
import type { State } from './state.ts';
import type { Store } from './store.ts';

export function notices({ set, draw }: Store<State>, { undo }: Playground): HTMLElement {
  const bar = (close: Partial<State>, ...children: Child[]): HTMLElement => {
    const attributes = { type: 'button', className: 'close', 'aria-label': 'Close the message' } as const;
    const button = element('button', { ...attributes, onclick: () => set(close) }, '×');
    return element('div', { className: 'notice', hidden: true }, ...children, button);
  };
  const text = element('span');
  const news = bar({ notice: undefined }, text);
  const ended = element('span');
  const undoing = element('button', { type: 'button', onclick: () => void undo() }, 'Undo');
  const aside = bar({ setAside: undefined }, ended, undoing);
  const status = element('p', { className: 'unseen', role: 'status', 'aria-live': 'polite' });

  draw(['notice'], ({ notice }) => {
    news.hidden = !notice;
    news.classList.toggle('problem', notice?.kind === 'problem');
    text.textContent = notice?.text ?? '';
  });
  const all = element('div', { className: 'notices' }, news, aside, status);
  draw(['notice', 'setAside'], ({ notice, setAside }) => {
    all.classList.toggle('resting', (notice?.isOfDevice ?? false) && !setAside);
  });
  draw(['setAside'], ({ setAside }) => {
    aside.hidden = !setAside;
    ended.textContent = setAside ? `Set aside: ${setAside.words}.` : '';
  });
  draw(['phase'], ({ phase }) => {
    undoing.disabled = phase === 'preparing';
  });
  draw(['status'], ({ status: words }) => {
    status.textContent = words;
  });
  return all;
}
