/** Attention as one of a few colours, by powers of ten: late in a walk it is spread thin, and still there. */
import { viridis } from '@flowgrad/gridworld';

/** From 1 down to 10⁻³; what is below is not drawn. */
const decades = 3;
export const levelCount = 12;

/** 0 … levelCount − 1, the most attention last; −1 below the scale. */
export function levelOf(attention: number): number {
  const position = 1 + Math.log10(attention) / decades;
  // The tolerance keeps 10⁻³, whose logarithm is rounded, on the scale.
  if (!(position >= -1e-9)) return -1;
  return Math.min(levelCount - 1, Math.max(0, Math.floor(position * levelCount)));
}

const fills = (colorAt: (position: number) => string): string =>
  Array.from(
    { length: levelCount },
    (_, level) => `.attention-${level}{fill:${colorAt((level + 0.5) / levelCount)}}`,
  ).join('');

/** Most attention stands out most from the background: dark on light, bright on dark. */
export const attentionStyle = `
${fills((position) => viridis(1 - position))}
@media screen and (prefers-color-scheme: dark){${fills(viridis)}}
`;

/** What the borders between the colours stand for, as marks of the key: place in 0 … 1 and text. */
export const scaleMarks: readonly (readonly [position: number, label: string])[] = [
  [0, '0.001'],
  [1 / 3, '0.01'],
  [2 / 3, '0.1'],
  [1, '1'],
];
