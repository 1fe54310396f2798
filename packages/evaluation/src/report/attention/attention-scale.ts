/** Attention as one of a few colours, by powers of ten: late in a walk it is spread thin, and still there. */
import { colorLevel, probabilityScale, viridis } from '@flowgrad/gridworld';

/** From 1 down to 10⁻³; what is below is not drawn. */
const scale = probabilityScale('log', { decades: 3 });
export const levelCount = 12;

/** 0 … levelCount − 1, the most attention last; −1 below the scale. */
export function levelOf(attention: number): number {
  const position = scale.positionOf(attention);
  return position < 0 ? -1 : colorLevel(position, levelCount);
}

const fills = (colorAt: (position: number) => string): string =>
  Array.from(
    { length: levelCount },
    (_, level) => `.attention-${level}{fill:${colorAt((level + 0.5) / levelCount)}}`,
  ).join('');

/** Most attention stands out most from the background: dark on light, bright on dark. */
export const lightFills = fills((position) => viridis(1 - position));
export const attentionStyle = `
${lightFills}
@media screen and (prefers-color-scheme: dark){${fills(viridis)}}
`;

/** What the borders between the colours stand for, as marks of the key. */
export const scaleMarks = scale.ticks;
