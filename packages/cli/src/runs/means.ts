/** The mean of each column of some rows. */
export function meanRow<Row extends { readonly [Column in keyof Row]: number }>(rows: readonly Row[]): Row {
  const columns = Object.keys(rows[0]) as (keyof Row)[];
  const mean = (column: keyof Row): number => rows.reduce((sum, row) => sum + row[column], 0) / rows.length;
  return Object.fromEntries(columns.map((column) => [column, mean(column)])) as Row;
}
