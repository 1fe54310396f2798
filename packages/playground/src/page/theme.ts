/** Light or dark: as the system says, until a person chooses. */
import type { ThemeName } from '../drawing/attention-scale.ts';
import { element } from './element.ts';
import type { State } from './state.ts';
import type { Store } from './store.ts';

const key = 'flowgrad-theme';

export function themeButton({ get, set, draw }: Store<State>): HTMLElement {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const chosen = (): ThemeName | undefined => {
    const kept = localStorage.getItem(key);
    return kept === 'light' || kept === 'dark' ? kept : undefined;
  };
  const apply = (): void => set({ theme: chosen() ?? (system.matches ? 'dark' : 'light') });
  system.addEventListener('change', apply);
  apply();
  const button = element('button', {
    type: 'button',
    onclick: () => {
      localStorage.setItem(key, get().theme === 'light' ? 'dark' : 'light');
      apply();
    },
  });
  draw(['theme'], ({ theme }) => {
    document.documentElement.dataset['theme'] = theme;
    button.textContent = theme === 'light' ? 'Dark' : 'Light';
    button.setAttribute('aria-label', `Change to ${theme === 'light' ? 'dark' : 'light'} colours`);
  });
  return button;
}
