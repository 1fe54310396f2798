/** What is wrong with a safetensors file, or with what was to become one. */
export class SafetensorsError extends Error {
  override readonly name = 'SafetensorsError';
  /** The tensor concerned, if it is one's fault alone. */
  readonly tensor: string | undefined;

  constructor(where: string, message: string, tensor?: string) {
    super(tensor === undefined ? `${where}: ${message}` : `${where}: tensor ${showName(tensor)}: ${message}`);
    this.tensor = tensor;
  }
}

const shownLength = 80;

/** A name for messages: quoted, without control characters, and cut where a file makes it very long. */
export function showName(name: string): string {
  const cut = name.length > shownLength ? `${name.slice(0, shownLength)}…` : name;
  return `'${JSON.stringify(cut).slice(1, -1)}'`;
}

/** Names for messages: all of them, or the first ten and how many more there are. */
export function showNames(names: readonly string[]): string {
  const shown = names.slice(0, 10).map(showName).join(', ');
  return names.length > 10 ? `${shown} and ${names.length - 10} more` : shown;
}
