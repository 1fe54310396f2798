import { DatasetFormatError } from '@flowgrad/data';

/** A line of a tab-separated file, and what an error message calls it. */
export interface TextLine {
  readonly fields: readonly string[];
  /** `train.txt:12` */
  readonly where: string;
}

/** The lines of a file. Unix and Windows line ends are read; the last line may end without one. */
export function textLines(file: string, text: string): TextLine[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line, index) => ({
    fields: line.replace(/\r$/, '').split('\t'),
    where: `${file}:${index + 1}`,
  }));
}

export function expectFields({ fields, where }: TextLine, shape: string, count: number): void {
  if (fields.length !== count) {
    throw new DatasetFormatError(where, `${count} tab-separated fields (${shape})`, quoteFields(fields));
  }
}

/**
 * Digits alone, without a leading zero: so a number has one spelling, and files can be compared byte by byte.
 */
export function readNumber(where: string, what: string, digits: string): number {
  const value = Number(digits);
  if (!/^(0|[1-9]\d*)$/.test(digits) || !Number.isSafeInteger(value)) {
    throw new DatasetFormatError(where, `${what} as a number`, `'${digits}'`);
  }
  return value;
}

export function quoteFields(fields: readonly string[]): string {
  const text = fields.join('\t');
  return fields.length === 1 && text === ''
    ? 'an empty line'
    : `'${text.length > 80 ? `${text.slice(0, 80)}…` : text}'`;
}
