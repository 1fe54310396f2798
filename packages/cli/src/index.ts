export type { Command, Context, Example, Flags, Output, Stage, Surroundings } from './command.ts';
export { exitCodes } from './command.ts';
export { commands } from './commands.ts';
export type { Flag, FlagValues } from './flags/flag.ts';
export { runCli } from './run-cli.ts';
