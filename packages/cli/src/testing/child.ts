/** The built program in a process of its own. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const program = fileURLToPath(new URL('../../bin/flowgrad.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Child {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Settles when stdout or stderr have said so, or at the end. */
  said(pattern: RegExp): Promise<void>;
}

type Environment = Readonly<Record<string, string>>;

export function startChild(words: readonly string[], cwd: string, more: Environment = {}): Child {
  // Nx asks its tasks for colours.
  const env = { ...process.env, FORCE_COLOR: '0', NO_COLOR: '1', ...more };
  const child = spawn(process.execPath, [program, ...words], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
      for (const listener of listeners) listener();
    });
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      resolve({ code, signal, ...said });
      for (const listener of listeners) listener();
    });
  });
  return {
    process: child,
    ended,
    said: (pattern) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!pattern.test(said.stdout + said.stderr) && child.exitCode === null) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        look();
      }),
  };
}

export const runChild = (words: readonly string[], cwd: string, more: Environment = {}): Promise<Ended> =>
  startChild(words, cwd, more).ended;
