import { defineCommand } from '../command.ts';
import { commandHelp, overview } from '../help-text.ts';
import { findCommand } from '../run-cli.ts';

export const help = defineCommand({
  name: 'help',
  summary: 'Shows the commands, or the flags and examples of one.',
  usage: 'help [command]',
  takes: [0, 1],
  examples: [{ line: 'help train', about: 'what train takes' }],
  flags: {},
  run: async ({ args: [name], stdout }) => {
    stdout.write(`${name === undefined ? overview() : commandHelp(findCommand(name))}\n`);
  },
});
