import { expect, it } from 'vitest';
import { attentionColors, attentionScale, colorLevels, levelOf } from './attention-scale.ts';

/** Relative luminance of `#rrggbb`, as in the accessibility guidelines. */
function luminance(color: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

it('the logarithmic scale goes from 1e−4 to 1 whatever there is to show', () => {
  const { positionOf } = attentionScale('log', 0.03);
  expect([1, 0.1, 0.01, 1e-4].map(positionOf)).toEqual([1, 0.75, 0.5, 0]);
  expect([0, 1e-5].map(positionOf)).toEqual([-1, -1]);
  expect(positionOf(1.0000001)).toBe(1);
});

it('the linear scale ends at the most there is', () => {
  const { positionOf, ticks } = attentionScale('linear', 0.5);
  expect([0.5, 0.25, 0.001, 0].map(positionOf)).toEqual([1, 0.5, -1, -1]);
  expect(ticks.map(({ label }) => label)).toEqual(['0', '0.25', '0.5']);
});

it('colours grow darker on light and brighter on dark, so that they can be told apart without hue', () => {
  const light = attentionColors('light').map(luminance);
  const dark = attentionColors('dark').map(luminance);
  expect(light).toEqual(light.toSorted((a, b) => b - a));
  expect(dark).toEqual(dark.toSorted((a, b) => a - b));
});

it('every place has a level', () => {
  expect([0, 0.5, 1].map(levelOf)).toEqual([0, colorLevels / 2, colorLevels - 1]);
});
