/** A mistake in a dataset's files; the message begins with the file, and the line if there is one. */
export class DatasetFormatError extends Error {
  override readonly name = 'DatasetFormatError';

  constructor(where: string, expected: string, got: string) {
    super(`${where}: expected ${expected}, got ${got}`);
  }
}

const longest = 60;

/** What stands in a file, as an error shows it: a few characters, none of them a control character. */
export const quoted = (text: string): string =>
  `'${JSON.stringify(text.length > longest ? `${text.slice(0, longest)}…` : text).slice(1, -1)}'`;
