/** Mean and sample standard deviation of each column over seeds. */
export interface SeedSummary<Row> {
  readonly mean: Row;
  readonly deviation: Row;
  readonly seeds: number;
}

/** Rows are records of numbers with the same keys, one for each seed. */
export function summarizeSeeds<Row extends { readonly [Column in keyof Row]: number }>(
  rows: readonly Row[],
): SeedSummary<Row> {
  if (rows.length < 2)
    throw new RangeError(`summarizeSeeds: expected at least two seeds, got ${rows.length}`);
  const columns = Object.keys(rows[0]) as (keyof Row)[];
  const over = (of: (column: keyof Row) => number): Row =>
    Object.fromEntries(columns.map((column) => [column, of(column)])) as Row;
  const meanOf = (column: keyof Row): number => rows.reduce((sum, row) => sum + row[column], 0) / rows.length;
  const mean = over(meanOf);
  const deviation = over((column) =>
    Math.sqrt(rows.reduce((sum, row) => sum + (row[column] - mean[column]) ** 2, 0) / (rows.length - 1)),
  );
  return { mean, deviation, seeds: rows.length };
}
