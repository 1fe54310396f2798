/** Tables and numbers in Markdown. */

export function inMarkdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '-'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Of the paper's deviations, how many ours lies above its mean. */
export const deviationsOf = (ours: number, [mean, deviation]: readonly [number, number]): number =>
  (ours - mean) / deviation;

export const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;
