/**
 * Whether somebody of this project wrote the words: `op: expected …, got …`. What JavaScript says by itself
 * ("is not iterable", "Unexpected token", "Invalid array length") has none of them.
 */
export function isOurError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /\bexpected\b|could not resolve|\bmust be\b/.test(error.message);
}
