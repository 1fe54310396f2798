/** Rows of text in columns: the first `left` to the left, figures to the right. */
export function textTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { left = 1 }: { readonly left?: number } = {},
): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i].length)));
  const rule = widths.map((width) => '─'.repeat(width));
  const pad = (cell: string, i: number): string =>
    i < left ? cell.padEnd(widths[i]) : cell.padStart(widths[i]);
  return [head, rule, ...rows].map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}
