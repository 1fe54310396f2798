/** What the colours stand for. */
import { attentionColors } from '../drawing/attention-scale.ts';
import type { AttentionScale, ThemeName } from '../drawing/attention-scale.ts';
import { palettes } from '../drawing/palette.ts';
import { element } from './element.ts';
import { classesOf } from './places.ts';
import type { State } from './state.ts';
import type { Store } from './store.ts';

export interface Legend {
  readonly element: HTMLElement;
  show(this: void, scale: AttentionScale, theme: ThemeName): void;
}

export function legend(): Legend {
  const bar = element('div', { className: 'bar' });
  const ticks = element('div', { className: 'ticks' });
  let shown = '';
  return {
    element: element('div', { className: 'legend', role: 'img' }, bar, ticks),
    show: (scale, theme) => {
      const key = theme + scale.ticks.map(({ label }) => label).join();
      if (key === shown) return;
      shown = key;
      bar.style.background = `linear-gradient(to right, ${attentionColors(theme).join(', ')})`;
      ticks.replaceChildren(
        ...scale.ticks.map(({ position, label }) => {
          const tick = element('span', {}, label);
          tick.style.left = `${position * 100}%`;
          return tick;
        }),
      );
      const [first, last] = [scale.ticks[0].label, scale.ticks[scale.ticks.length - 1].label];
      bar.parentElement?.setAttribute('aria-label', `Colours from ${first} to ${last}`);
    },
  };
}

/** What the colours of edges stand for, where edges have some. */
export function edgeLegend({ draw }: Store<State>): HTMLElement {
  const list = element('ul', { className: 'edge-legend', 'aria-label': 'Edge types' });
  draw(['world', 'theme'], ({ world, theme }) => {
    const names = (world && classesOf(world)?.names) ?? [];
    list.hidden = names.length === 0;
    list.replaceChildren(
      ...names.map((name, kind) => {
        const line = element('span', { className: 'line' });
        line.style.background = palettes[theme].classes[kind];
        return element('li', {}, line, name);
      }),
    );
  });
  return list;
}
