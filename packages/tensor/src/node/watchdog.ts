/** Ends a process that hangs, and says in what: a loop that never ends lets no other time-out come to its turn. */
import { Worker } from 'node:worker_threads';
import type { Check } from '../testing/check.ts';

/** How patient a watchdog is. */
export interface WatchdogOptions {
  /** How long one check may take; 60 unless said. */
  readonly seconds?: number;
}

/** Ends the process when a check does not end. */
export interface Watchdog {
  /** The same check; a run of it that takes too long ends the process, with its name on standard error. */
  readonly guard: (check: Check) => Check;
  readonly close: () => Promise<void>;
}

/** A thread of its own, which goes on when the one it watches does not. */
const program = `
  const { parentPort } = require('node:worker_threads');
  const { writeSync } = require('node:fs');
  let timer;
  parentPort.on('message', ({ name, seconds }) => {
    clearTimeout(timer);
    if (name === undefined) return;
    timer = setTimeout(() => {
      writeSync(2, name + ': expected an end within ' + seconds + ' s, got none (a loop that never ends?)\\n');
      process.kill(process.pid, 'SIGKILL');
    }, 1000 * seconds);
  });
`;

/**
 * For checks that run one after the other. It does not keep the process from ending.
 *
 * @example
 * import { runChecks } from '@flowgrad/tensor/testing';
 * const { guard } = openWatchdog({ seconds: 10 });
 * await runChecks([{ name: 'a long one', run: async () => undefined }].map(guard));
 */
export function openWatchdog({ seconds = 60 }: WatchdogOptions = {}): Watchdog {
  const worker = new Worker(program, { eval: true });
  worker.unref();
  const guard = ({ name, run }: Check): Check => ({
    name,
    run: async () => {
      worker.postMessage({ name, seconds });
      try {
        await run();
      } finally {
        worker.postMessage({});
      }
    },
  });
  return { guard, close: async () => void (await worker.terminate()) };
}
