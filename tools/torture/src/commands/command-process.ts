/**
 * Command lines, one after the other, in one process: `{ words, cwd }` comes as a message, and an `Answer` goes back.
 * Loading the program takes many times longer than most of what it does here.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { workspace } from '../flowgrad.ts';
import type { Answer, Question } from './commands.ts';

interface Output {
  readonly isTTY: boolean;
  readonly columns: number;
  write(text: string): void;
}

interface CommandLine {
  runCli(
    this: void,
    words: readonly string[],
    surroundings: {
      readonly stdout: Output;
      readonly stderr: Output;
      readonly env: NodeJS.ProcessEnv;
      readonly signal: AbortSignal;
    },
  ): Promise<number>;
}

const built = pathToFileURL(join(workspace, 'packages/cli/dist/index.js')).href;
const { runCli } = (await import(built)) as CommandLine;

/** Resident memory now, and the most since the last call of `forgetMost`. */
function mebibytes(what: 'VmRSS' | 'VmHWM'): number {
  try {
    const found = new RegExp(`${what}:\\s*(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8'));
    return Number(found?.[1]) / 1024;
  } catch {
    return process.memoryUsage().rss / 2 ** 20;
  }
}

function forgetMost(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // Elsewhere than on Linux the most is what there is afterwards.
  }
}

async function answer({ words, cwd }: Question): Promise<Answer> {
  process.chdir(cwd);
  const said = { stdout: '', stderr: '' };
  const output = (name: keyof typeof said): Output => ({
    isTTY: false,
    columns: 80,
    write: (text) => void (said[name] += text),
  });
  forgetMost();
  const before = mebibytes('VmRSS');
  const code = await runCli(words, {
    stdout: output('stdout'),
    stderr: output('stderr'),
    env: process.env,
    signal: new AbortController().signal,
  });
  return { code, signal: null, ...said, mebibytes: mebibytes('VmHWM') - before };
}

process.on('message', (question: Question) => {
  void answer(question).then((answered) => process.send?.(answered));
});
process.on('disconnect', () => process.exit());
