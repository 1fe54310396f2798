/** What the colours stand for. */
import { attentionColors } from '../drawing/attention-scale.ts';
import type { AttentionScale, ThemeName } from '../drawing/attention-scale.ts';
import { element } from './element.ts';

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
