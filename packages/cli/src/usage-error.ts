/** A command line that cannot be meant: exit code 2, and no stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
