/** Writes a folder for a command: what the library says of its option is said of the flag. */
export async function writeFor(command: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('write: ')) throw error;
    const problem = error.message.slice('write: '.length).replace('overwrite: true', '--overwrite');
    throw new Error(`${command}: ${problem}`, { cause: error });
  }
}
