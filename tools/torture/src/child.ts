/** Processes, what they said and how they ended. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Child {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
}

export interface ChildOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** After this time it hangs, and is killed. */
  readonly seconds: number;
}

export function startChild([command, ...words]: readonly string[], options: ChildOptions): Child {
  const { cwd, env = {}, seconds } = options;
  const child = spawn(command, words, {
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => (said[name] += text));
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    const late = setTimeout(() => {
      said.stderr += `\nIt did not end within ${seconds} s.`;
      child.kill('SIGKILL');
    }, 1000 * seconds);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(late);
      resolve({ code, signal, ...said });
    });
  });
  return { process: child, ended };
}
