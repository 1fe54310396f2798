/** Marks that say how far from the paper: drawn, as few fonts have triangles. */
import type { PaperDifference } from './compare-paper.ts';
import { markup } from './markup.ts';
import type { Markup } from './markup.ts';

/** Readable without colour: the direction says better or worse, the number of triangles how far. */
export function differenceMark({ level, isBetter }: Pick<PaperDifference, 'level' | 'isBetter'>): Markup {
  if (level === 0) return markup`≈`;
  const words = `${isBetter ? 'better' : 'worse'}, ${level === 3 ? 'more than 3 σ' : `${level} to ${level + 1} σ`}`;
  const triangles = Array.from({ length: level }, (_, i) =>
    isBetter ? `M${10 * i} 9h9l-4.5-8z` : `M${10 * i} 1h9l-4.5 8z`,
  );
  const width = 10 * level - 1;
  return markup`<svg class="mark" viewBox="0 0 ${width} 10" width="${width}" height="10" role="img"><title>${words}</title><path d="${triangles}"/></svg>`;
}
