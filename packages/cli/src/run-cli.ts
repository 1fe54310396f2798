/** One command line, from its words to an exit code. */
import { unknownName } from '@flowgrad/tensor';
import { exitCodes } from './command.ts';
import type { Command, Surroundings } from './command.ts';
import { commands } from './commands.ts';
import { explainError } from './explain-error.ts';
import { commandHelp, overview } from './help-text.ts';
import { parseCommandLine } from './parse-command-line.ts';
import { loadOwnModels } from './runs/own-models.ts';
import { UsageError } from './usage-error.ts';
import { version } from './version.ts';

/** Runs `flowgrad <words>`. Never throws: what goes wrong is said on stderr. */
export async function runCli(words: readonly string[], around: Surroundings): Promise<number> {
  const [name = 'help', ...rest] = words;
  const say = (text: string): void => around.stdout.write(`${text}\n`);
  try {
    if (name === '--version' || name === '-V') {
      say(version);
      return exitCodes.ok;
    }
    if (name === '--help' || name === '-h') {
      say(overview());
      return exitCodes.ok;
    }
    const command = findCommand(name);
    if (command.ownModels) await loadOwnModels(name, rest, { names: command.ownModels === 'beside names' });
    const { help, ...parsed } = parseCommandLine(command, rest);
    if (help) {
      say(commandHelp(command));
      return exitCodes.ok;
    }
    return (await command.run({ ...around, ...parsed })) ?? exitCodes.ok;
  } catch (error) {
    const { line, isExpected } = explainError(name, error);
    const isVerbose = words.includes('--verbose');
    around.stderr.write(`flowgrad: ${line}\n`);
    if (isVerbose && error instanceof Error) around.stderr.write(`${error.stack ?? ''}\n`);
    if (error instanceof UsageError) {
      const about = commands.some((command) => command.name === name) ? `${name} ` : '';
      around.stderr.write(`Try flowgrad ${about}--help\n`);
      return exitCodes.usage;
    }
    if (!isExpected && !isVerbose) around.stderr.write('(--verbose shows where it came from)\n');
    return exitCodes.failure;
  }
}

export function findCommand(name: string): Command {
  const found = commands.find((command) => command.name === name);
  if (found) return found;
  const names = commands.map((command) => command.name);
  throw new UsageError(unknownName('a command', name, names));
}
