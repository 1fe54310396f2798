/**
 * Throws when `options` has a key that is not in `known`: a misspelt option must not be ignored in silence.
 */
export function rejectUnknownKeys(where: string, options: object, known: readonly string[]): void {
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) {
      throw new TypeError(`${where}: expected options among ${known.join(', ')}, got '${key}'`);
    }
  }
}
