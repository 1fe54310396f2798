/** A run in a process of its own: `flowgrad train --resume`, forked from this very program. */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { RunConfig } from '@flowgrad/evaluation';
import type { RunEvent } from '@flowgrad/evaluation/node';
import { exitCodes } from '../command.ts';
import { stopMessage, supervised } from '../supervised.ts';

/** The same from src and from dist. */
const program = fileURLToPath(new URL('../../bin/flowgrad.js', import.meta.url));

export interface RunProcessOptions {
  readonly config: RunConfig;
  readonly folder: string;
  /** The folder of its dataset, if it is on one. */
  readonly data?: string | undefined;
  /** Modules of models of one's own. */
  readonly models?: readonly string[];
  readonly device: string;
  readonly threads: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onEvent: (event: RunEvent) => void;
}

export type RunEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly reason: string };

export interface RunProcess {
  /** Asks it to write a checkpoint and end. */
  stop(this: void): void;
  readonly ended: Promise<RunEnd>;
}

export function startRun({
  config,
  folder,
  data,
  models = [],
  device,
  threads,
  env,
  onEvent,
}: RunProcessOptions): RunProcess {
  const words = ['train', '--json', '--resume', '--out', folder, '--settings', JSON.stringify(config)];
  const more = [
    ...(data === undefined ? [] : ['--data', data]),
    ...(models.length === 0 ? [] : ['--models', models.join(',')]),
  ];
  const child = fork(program, [...words, ...more, '--device', device, '--threads', String(threads)], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: [],
    env: { ...withoutSecrets(env), ...supervised },
  });
  createInterface({ input: child.stdout! }).on('line', (line) => {
    if (line.startsWith('{')) onEvent(JSON.parse(line) as RunEvent);
  });
  return {
    stop: () => {
      if (child.connected) child.send(stopMessage);
    },
    ended: endOf(child),
  };
}

/** What only the store of a sweep needs, of which a training process knows nothing. */
const withoutSecrets = (env: RunProcessOptions['env']): RunProcessOptions['env'] =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => name !== 'FLOWGRAD_STORE' && !name.startsWith('PG')),
  );

function endOf(child: ChildProcess): Promise<RunEnd> {
  let complaints = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-4000);
  });
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ kind: 'failed', reason: error.message }));
    child.on('close', (code, signal) => {
      if (code === exitCodes.ok) resolve({ kind: 'done' });
      else if (code === exitCodes.interrupted) resolve({ kind: 'stopped' });
      else
        resolve({
          kind: 'failed',
          reason: lastComplaint(complaints) ?? `ended by ${signal ?? `code ${code}`}`,
        });
    });
  });
}

/** The line that says what was wrong, rather than the hint behind it, or the end of Node's report of a crash. */
export function lastComplaint(text: string): string | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const own = lines.findLast((line) => line.startsWith('flowgrad: '));
  const crash = lines.findLast((line) => /^(\w*Error\b|FATAL ERROR)/.test(line));
  return own?.replace('flowgrad: ', '') ?? crash ?? lines.at(-1);
}
