/** A word for a shell. */
export const quoted = (word: string): string =>
  /^[\w./=+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
