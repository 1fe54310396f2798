/** From an amount of attention to a place on the colour scale, and the colours themselves. */
import { colorLevel, probabilityScale, viridis } from '@flowgrad/gridworld';
import type { ProbabilityScale, ProbabilityScaleName } from '@flowgrad/gridworld';

export type ScaleName = ProbabilityScaleName;
export type AttentionScale = ProbabilityScale;
export type ThemeName = 'light' | 'dark';

/**
 * The logarithmic scale is the same for all pictures, 1e−4 … 1, so that steps and models can be compared; the linear one
 * ends at `most`.
 */
export function attentionScale(name: ScaleName, most: number): AttentionScale {
  return name === 'log'
    ? probabilityScale('log')
    : probabilityScale('linear', { end: most > 0 ? most : 1, intervals: 2 });
}

/** So many colours are told apart by nobody, and few enough to draw all nodes of one at once. */
export const colorLevels = 48;

const tables = new Map<ThemeName, readonly string[]>();

/** The most attention stands out most from its background: dark on light, bright on dark. */
export function attentionColors(theme: ThemeName): readonly string[] {
  const known = tables.get(theme);
  if (known) return known;
  const made = Array.from({ length: colorLevels }, (_, level) => {
    const place = level / (colorLevels - 1);
    return viridis(theme === 'light' ? 1 - place : place);
  });
  tables.set(theme, made);
  return made;
}

export function levelOf(place: number): number {
  return colorLevel(place, colorLevels);
}
