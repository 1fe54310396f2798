/** Who works in a folder: this process for others to see, and other processes as far as this one can tell. */
import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Owner } from '../run/manifest.ts';

export function thisProcess(): Owner {
  const boot = fromSystem(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const namespace = fromSystem(() => readlinkSync('/proc/self/ns/pid'));
  const started = processState(process.pid)?.started;
  return {
    token: randomBytes(16).toString('hex'),
    host: hostname(),
    pid: process.pid,
    ...(boot !== undefined && { boot }),
    ...(namespace !== undefined && { namespace }),
    ...(started !== undefined && { started }),
  };
}

/**
 * A process number says something only within one boot of one machine and one namespace of process numbers, and there
 * only together with the time at which the process began. Elsewhere it is unknown whether the owner is at work.
 */
export function ownerState(owner: Owner): 'alive' | 'dead' | 'unknown' {
  const here = thisProcess();
  if (here.boot === undefined || here.namespace === undefined || owner.started === undefined)
    return 'unknown';
  if (owner.boot !== here.boot || owner.namespace !== here.namespace) return 'unknown';
  const state = processState(owner.pid);
  if (state) return state.started === owner.started && !state.hasEnded ? 'alive' : 'dead';
  try {
    process.kill(owner.pid, 0);
    return 'unknown';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH' ? 'dead' : 'unknown';
  }
}

export const describeOwner = ({ pid, host }: Owner): string => `process ${pid} on ${host}`;

/** Fields 3 and 22 of /proc/<pid>/stat. The name before them may hold anything, a bracket included. */
function processState(pid: number): { readonly started: string; readonly hasEnded: boolean } | undefined {
  const stat = fromSystem(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields && { started: fields[19], hasEnded: fields[0] === 'Z' || fields[0] === 'X' };
}

/** What this system does not have, or does not show, is undefined. */
function fromSystem(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/**
 * Counts up in a file that is there already, from a place in it on, until it is stopped. In a thread of its own:
 * training may keep this one busy for as long as an epoch takes. A file that has gone is not made again.
 */
export function startHeartbeat(path: string, at: number, everyMilliseconds: number): () => Promise<void> {
  const program = `
    const { closeSync, openSync, writeSync } = require('node:fs');
    const { workerData: { path, at, every } } = require('node:worker_threads');
    let beats = 0;
    setInterval(() => {
      try {
        const file = openSync(path, 'r+');
        try { writeSync(file, String(++beats), at); } finally { closeSync(file); }
      } catch {}
    }, every);`;
  const worker = new Worker(program, {
    eval: true,
    execArgv: [],
    env: {},
    workerData: { path, at, every: everyMilliseconds },
  });
  worker.unref();
  // Without it others may take the folder over, which is noticed before the next write.
  worker.on('error', () => undefined);
  return async () => void (await worker.terminate());
}
