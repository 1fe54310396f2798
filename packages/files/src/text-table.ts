/** Rows of text in columns: the first `left` to the left, figures to the right, and a rule below the titles. */
export function textTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { left = 1, rule = true }: { readonly left?: number; readonly rule?: boolean } = {},
): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i].length)));
  const rules = rule ? [widths.map((width) => '─'.repeat(width))] : [];
  const pad = (cell: string, i: number): string =>
    i < left ? cell.padEnd(widths[i]) : cell.padStart(widths[i]);
  return [head, ...rules, ...rows].map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}
