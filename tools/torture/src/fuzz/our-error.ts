/**
 * Whether somebody of this project wrote the words: `op: expected …, got …`. What JavaScript says by itself
 * ("is not iterable", "Unexpected token", "Invalid array length") has none of them.
 */
export const isOurWords = (text: string): boolean => /\bexpected\b|could not resolve|\bmust be\b/.test(text);

export const isOurError = (error: unknown): boolean => error instanceof Error && isOurWords(error.message);
