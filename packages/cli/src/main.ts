/** The process around the command line: its streams, its signals and its end. */
import { commands } from './commands.ts';
import { exitCodes } from './command.ts';
import type { Output, Stage } from './command.ts';
import { explainError } from './explain-error.ts';
import { runCli } from './run-cli.ts';
import { isSupervised, stopWhenAsked } from './supervised.ts';

const outputOf = (stream: NodeJS.WriteStream): Output => ({
  isTTY: stream.isTTY,
  columns: stream.columns ?? 80,
  write: (text) => void stream.write(text),
});

const words = process.argv.slice(2);
const stop = new AbortController();
let stage: Stage = 'preparing';
const stopsInOrder = commands.some(({ name, stopsInOrder }) => name === words[0] && stopsInOrder);

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader who has seen enough (`| head`) is no failure; an experiment that is gone leaves a checkpoint.
    if (error.code === 'EPIPE') {
      if (!isSupervised()) process.exit(exitCodes.ok);
      stop.abort();
      return;
    }
    process.stderr.write(`flowgrad: ${explainError('output', error).line}\n`);
    process.exit(exitCodes.failure);
  });
}

if (isSupervised()) stopWhenAsked(stop);
else if (stopsInOrder) stopAtSignals();

function stopAtSignals(): void {
  const asked = (): void => {
    if (stop.signal.aborted) process.exit(exitCodes.interrupted);
    if (stage === 'preparing') {
      process.stderr.write('\nflowgrad: stopped before the first step\n');
      process.exit(exitCodes.interrupted);
    }
    const when = stage === 'working' ? ' after this step' : '';
    process.stderr.write(`\nflowgrad: stopping${when} (once more to quit at once)\n`);
    stop.abort();
  };
  process.on('SIGINT', asked);
  process.on('SIGTERM', asked);
}

process.exitCode = await runCli(words, {
  stdout: outputOf(process.stdout),
  stderr: outputOf(process.stderr),
  env: process.env,
  signal: stop.signal,
  enter: (reached) => (stage = reached),
});
