/** Tab-separated tables whose first line names their columns. */
import { DatasetFormatError, quoted } from './format-error.ts';
import { readLines } from './text-lines.ts';
import type { Chunks } from './text-lines.ts';

/** What a table must and may have. */
export interface Columns {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** A column that takes all fields from its own on; it is the last. */
  readonly rest?: string;
  /** Whether columns of other names are allowed. */
  readonly others?: boolean;
}

/** Where columns stand in the lines of a table. */
export interface TableHead {
  readonly names: readonly string[];
  /** The place of a column; −1 where there is none. */
  placeOf(this: void, column: string): number;
}

/**
 * Calls `onRow` with the fields of each line behind the first, and its number. The array of fields is the same one every
 * time.
 */
export async function readTable(
  file: string,
  chunks: Chunks,
  columns: Columns,
  onHead: (head: TableHead) => (fields: readonly string[], line: number) => void,
): Promise<void> {
  let onRow: ((fields: readonly string[], line: number) => void) | undefined;
  let [width, hasRest] = [0, false];
  const fields: string[] = [];
  await readLines(file, chunks, (line, number) => {
    let [count, start, end] = [0, 0, line.indexOf('\t')];
    for (; end >= 0; end = line.indexOf('\t', start)) {
      fields[count++] = line.slice(start, end);
      start = end + 1;
    }
    fields[count++] = line.slice(start);
    fields.length = count;
    if (!onRow) {
      const names = [...fields];
      expectColumns(`${file}:1`, names, columns);
      width = names.length;
      hasRest = columns.rest !== undefined && names.includes(columns.rest);
      onRow = onHead({ names, placeOf: (column) => names.indexOf(column) });
    } else if (count === width || (hasRest && count >= width)) {
      onRow(fields, number);
    } else {
      const wanted = `${width} tab-separated fields, as many as its first line has`;
      const got = line === '' ? 'an empty line' : `${count} in ${quoted(line)}`;
      throw new DatasetFormatError(`${file}:${number}`, wanted, got);
    }
  });
  if (!onRow)
    throw new DatasetFormatError(`${file}:1`, `a line with the columns ${shown(columns)}`, 'an empty file');
}

function expectColumns(where: string, names: readonly string[], columns: Columns): void {
  const { required, optional, rest, others = false } = columns;
  const known = [...required, ...optional, ...(rest === undefined ? [] : [rest])];
  const problem =
    required.some((name) => !names.includes(name)) ||
    new Set(names).size < names.length ||
    names.includes('') ||
    (rest !== undefined && names.includes(rest) && names.at(-1) !== rest) ||
    (!others && names.some((name) => !known.includes(name)));
  if (problem) {
    throw new DatasetFormatError(where, `the columns ${shown(columns)}, each once`, quoted(names.join('\t')));
  }
}

function shown({ required, optional, rest, others = false }: Columns): string {
  const more = [...optional, ...(rest === undefined ? [] : [`${rest} as the last`])];
  return [
    required.join(', '),
    ...(more.length > 0 ? [`perhaps ${more.join(', ')}`] : []),
    ...(others ? ['and any others'] : []),
  ].join('; ');
}
