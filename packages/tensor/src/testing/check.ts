/** Something that holds or throws, under a name: what every loop is made of, whichever program runs it. */
export interface Check {
  /** A sentence: "softsign on three values". */
  readonly name: string;
  /** Rejects with what is wrong, in words. */
  readonly run: () => Promise<void>;
}

/**
 * Runs checks one after the other; rejects with all that fail. For programs without a test runner.
 *
 * @example
 * await runChecks([{ name: 'one and one', run: async () => undefined }]);
 */
export async function runChecks(checks: readonly Check[]): Promise<void> {
  const failures: string[] = [];
  for (const { name, run } of checks) {
    try {
      await run();
    } catch (error) {
      failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (failures.length > 0) {
    throw new Error(`${failures.length} of ${checks.length} checks failed\n${failures.join('\n')}`);
  }
}
