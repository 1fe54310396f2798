/** Command lines that nobody attacks while they run, in processes that are used again. */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Ended } from '../child.ts';
import { scripts } from '../flowgrad.ts';

export interface Question {
  readonly words: readonly string[];
  readonly cwd: string;
}

export interface Answer extends Ended {
  /** How much memory it took at most, beside what the process had before. */
  readonly mebibytes: number;
}

const program = join(scripts, 'commands/command-process.js');
const seconds = 180;
const idle: ChildProcess[] = [];

/** What a command line says, and how it ends. One that ends its process, or hangs, has no code. */
export async function command(words: readonly string[], cwd: string): Promise<Answer> {
  const child = idle.pop() ?? started();
  child.ref();
  child.channel?.ref();
  const answered = await new Promise<Answer>((resolve) => {
    const failed = (signal: NodeJS.Signals | null, stderr: string): void => {
      child.kill('SIGKILL');
      done({ code: null, signal, stdout: '', stderr, mebibytes: 0 });
    };
    const ended = (code: number | null, signal: NodeJS.Signals | null): void =>
      failed(signal, `it ended its process with ${code ?? signal}`);
    const late = setTimeout(() => failed('SIGKILL', `it did not end within ${seconds} s`), 1000 * seconds);
    const done = (answer: Answer): void => {
      clearTimeout(late);
      child.off('message', done).off('exit', ended);
      resolve(answer);
    };
    child.on('message', done).on('exit', ended);
    child.send({ words, cwd } satisfies Question);
  });
  if (answered.code === null) return answered;
  child.unref();
  child.channel?.unref();
  idle.push(child);
  return answered;
}

function started(): ChildProcess {
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' };
  return fork(program, { env, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}
