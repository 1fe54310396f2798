/** From words to a command and its typed flags. Everything that is wrong says what would be right. */
import { parseArgs } from 'node:util';
import { unknownName } from '@flowgrad/tensor';
import type { Command, Context, Flags } from './command.ts';
import { UsageError } from './usage-error.ts';

export type ParsedLine = Pick<Context, 'args' | 'flags'> & { readonly help: boolean };

/** The flags and arguments of one command. */
export function parseCommandLine(command: Command, words: readonly string[]): ParsedLine {
  const known: Flags = command.flags;
  const { tokens } = parseArgs({
    args: [...words],
    // Not strict: its complaints know no suggestions.
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries([
      ['help', { type: 'boolean', short: 'h' }],
      ...Object.entries(known).map(([name, { value }]) => [
        name,
        { type: value === undefined ? 'boolean' : 'string' },
      ]),
    ]) as Record<string, { type: 'boolean' | 'string'; short?: string }>,
  });
  const flags: Record<string, unknown> = Object.fromEntries(
    Object.entries(known).map(([name, { initial }]) => [name, initial]),
  );
  const args: string[] = [];
  let help = false;
  for (const token of tokens) {
    if (token.kind === 'positional') args.push(token.value);
    if (token.kind !== 'option') continue;
    if (token.name === 'help') {
      help = true;
      continue;
    }
    if (!Object.hasOwn(known, token.name)) throw unknownFlag(command, token.rawName);
    flags[token.name] = valueOf(command, token);
  }
  if (!help) checkArguments(command, args);
  return { args, flags, help };
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function valueOf(command: Command, { name, rawName, value, inlineValue }: OptionToken): unknown {
  const flag = command.flags[name];
  if (flag.value === undefined) {
    if (value === undefined) return flag.parse('');
    throw new UsageError(`${command.name}: expected ${rawName} without a value, got '${value}'`);
  }
  // `--seed --out x`: what follows is the next flag, and the value was forgotten.
  if (value === undefined || (!inlineValue && value.startsWith('--'))) {
    throw new UsageError(`${command.name}: expected a value after ${rawName}, ${flag.value}, got none`);
  }
  try {
    return flag.parse(value);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${command.name}: ${rawName}: ${error.message}`);
  }
}

function unknownFlag({ name, flags }: Command, rawName: string): UsageError {
  const names = [...Object.keys(flags), 'help'].map((each) => `--${each}`);
  return new UsageError(`${name}: ${unknownName('flags', rawName, names)}`);
}

function checkArguments(
  { name, usage, takes: [least, most] = [0, 0] }: Command,
  args: readonly string[],
): void {
  if (args.length >= least && args.length <= most) return;
  const got = args.length === 0 ? 'nothing' : args.map((arg) => `'${arg}'`).join(' ');
  throw new UsageError(`${name}: expected flowgrad ${usage}, got ${got} beside the flags`);
}
