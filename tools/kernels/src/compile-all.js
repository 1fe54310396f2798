// @ts-check
/** Compiles parts on as many threads as there are cores. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/**
 * @typedef {import('./compile-part.js').Job} Job
 * @typedef {import('./compile-part.js').Compiled} Compiled
 */

/**
 * @param {readonly Job[]} jobs
 * @returns {Promise<Compiled[]>} in their order; the first failure ends all
 */
export async function compileAll(jobs) {
  /** @type {Compiled[]} */
  const results = [];
  let next = 0;
  const workers = Array.from(
    { length: Math.min(jobs.length, availableParallelism()) },
    () => new Worker(new URL('compile-worker.js', import.meta.url)),
  );
  const work = async (/** @type {Worker} */ worker) => {
    while (next < jobs.length) {
      const i = next++;
      results[i] = await ask(worker, jobs[i]);
    }
  };
  try {
    await Promise.all(workers.map(work));
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
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
