// @ts-check
/** Compiles parts on as many threads as there are cores. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/**
 * @typedef {import('./compile-part.js').Job} Job
 * @typedef {import('./compile-part.js').Compiled} Compiled
 */

/**
 * Threads that have nothing to do, kept for the next call: loading the compiler takes longer than one kernel does. They
 * do not keep the process alive.
 *
 * @type {Worker[]}
 */
const idle = [];

/**
 * @param {readonly Job[]} jobs
 * @returns {Promise<Compiled[]>} in their order; the first failure ends all
 */
export async function compileAll(jobs) {
  /** @type {Compiled[]} */
  const results = [];
  let next = 0;
  const work = async () => {
    const worker = idle.pop() ?? new Worker(new URL('compile-worker.js', import.meta.url));
    worker.ref();
    try {
      while (next < jobs.length) {
        const i = next++;
        results[i] = await ask(worker, jobs[i]);
      }
    } catch (error) {
      next = jobs.length;
      await worker.terminate();
      throw error;
    }
    worker.unref();
    idle.push(worker);
  };
  const length = Math.min(jobs.length, availableParallelism());
  const ends = await Promise.allSettled(Array.from({ length }, work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return results;
}

/**
 * @param {Worker} worker
 * @param {Job} job
 * @returns {Promise<Compiled>}
 */
function ask(worker, job) {
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', ({ compiled, failure }) => {
      worker.off('error', reject);
      if (compiled) resolve(compiled);
      else reject(new Error(failure));
    });
    worker.postMessage(job);
  });
}
