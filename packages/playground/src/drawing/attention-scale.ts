/** From an amount of attention to a place on the colour scale, and the colours themselves. */
import { viridis } from '@flowgrad/gridworld';

export type ScaleName = 'log' | 'linear';
export type ThemeName = 'light' | 'dark';

/** How far the logarithmic scale reaches below 1. */
const decades = 4;
/** Less than that share of the largest value cannot be told from none on the linear scale. */
const leastShare = 1 / 200;

export interface AttentionScale {
  /** Where an amount lies between none (0) and the most (1); −1 below the scale. */
  placeOf(this: void, amount: number): number;
  /** The amount at its end. */
  readonly end: number;
  readonly ticks: readonly { readonly place: number; readonly label: string }[];
}

/**
 * The logarithmic scale is the same for all pictures, 1e−4 … 1, so that steps and models can be compared; the linear one
 * ends at `most`.
 */
export function attentionScale(name: ScaleName, most: number): AttentionScale {
  if (name === 'log') {
    return {
      placeOf: (amount) => {
        const place = 1 + Math.log10(amount) / decades;
        return place >= 0 ? Math.min(1, place) : -1;
      },
      end: 1,
      ticks: ['1e−4', '0.001', '0.01', '0.1', '1'].map((label, i) => ({ place: i / decades, label })),
    };
  }
  const end = most > 0 ? most : 1;
  return {
    placeOf: (amount) => {
      const place = amount / end;
      return place >= leastShare ? Math.min(1, place) : -1;
    },
    end,
    ticks: [0, 0.5, 1].map((place) => ({ place, label: String(Number((place * end).toPrecision(2))) })),
  };
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
  return Math.min(colorLevels - 1, Math.floor(place * colorLevels));
}
