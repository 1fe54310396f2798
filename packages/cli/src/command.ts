/** What a command is: a row of the table in `commands.ts`. */
import type { Flag, FlagValues } from './flags/flag.ts';

/** Where a command writes: standard output or standard error, or a test that listens. */
export interface Output {
  readonly isTTY: boolean;
  /** Of the terminal; 80 where there is none. */
  readonly columns: number;
  write(this: void, text: string): void;
}

/** How far a command has come: what a first Ctrl-C does depends on it. */
export type Stage =
  /** Nothing is written yet: the process ends at once. This is where a command begins. */
  | 'preparing'
  /** The run is made: it is left in good order, before its first step. */
  | 'beginning'
  /** The step under way is finished and kept. */
  | 'working';

/** The world around a command, so that tests can give it another. */
export interface Surroundings {
  /** Results. */
  readonly stdout: Output;
  /** Progress and complaints. */
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Fires at the first Ctrl-C of commands that can stop in good order. */
  readonly signal: AbortSignal;
  /** Told by commands that can stop in good order when they reach a stage. */
  enter?(this: void, stage: Stage): void;
}

/** The flags of a command by name, without the leading dashes. */
export type Flags = Readonly<Record<string, Flag<unknown>>>;

/** What a command is run with: its arguments and flags, and everything it may touch. */
export interface Context<F extends Flags = Flags> extends Surroundings {
  readonly args: readonly string[];
  readonly flags: FlagValues<F>;
}

/** A line that the help of a command shows, with what it does. */
export interface Example {
  /** Without the leading `flowgrad`. */
  readonly line: string;
  readonly about: string;
}

/** A command of `flowgrad`: what it is called, what it takes, and what it does. */
export interface Command<F extends Flags = Flags> {
  readonly name: string;
  /** One line, in the list of commands. */
  readonly summary: string;
  /** Without the leading `flowgrad`. */
  readonly usage: string;
  /** What the command takes beside flags: at least and at most this many. */
  readonly takes?: readonly [least: number, most: number];
  readonly examples: readonly Example[];
  readonly flags: F;
  /** Whether --models names modules with models of one's own, alone or beside names of models. */
  readonly ownModels?: 'alone' | 'beside names';
  /** Whether it looks at the signal. The others end at once at Ctrl-C, and leave nothing half written. */
  readonly stopsInOrder?: boolean;
  /** The exit code; 0 unless given. Flags are those declared above. */
  run(this: void, context: Context<F>): Promise<number | void>;
}

/** Gives `run` the types of the flags declared beside it. */
export function defineCommand<const F extends Flags>(command: Command<F>): Command<F> {
  return command;
}

/** What the process ends with: 2 for a wrong command line, 130 when it was interrupted, as shells have it. */
export const exitCodes = { ok: 0, failure: 1, usage: 2, interrupted: 130 } as const;
