/** The wasm backend on `worker_threads`. */
import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { isSupported } from '../backends/wasm/builds.ts';
import { openThreaded } from '../backends/wasm/open.ts';
import type { ThreadedWasmOptions } from '../backends/wasm/open.ts';
import { workerProgram } from '../backends/wasm/shares.ts';
import type { WorkerStart } from '../backends/wasm/shares.ts';
import type { WasmBackend } from '../backends/wasm/wasm-backend.ts';

const program = `
const { parentPort, workerData } = require('node:worker_threads');
${workerProgram}
serve(workerData, (message) => parentPort.postMessage(message));
`;

/**
 * Opens a wasm backend on as many threads as there are cores. Close it, or just let the process end.
 *
 * @example
 * const backend = await openWasm({ threads: 2 });
 * await backend.close();
 */
export async function openWasm(options: ThreadedWasmOptions = {}): Promise<WasmBackend> {
  if (options.simd !== 'plain') allowRelaxedSimd();
  return openThreaded(options, { startWorker, cores: availableParallelism() });
}

/** @internal V8 of Node 20 has the instructions behind a flag, and takes it until it has compiled what needs it. */
export function allowRelaxedSimd(): void {
  if (!isSupported('relaxed')) setFlagsFromString('--experimental-wasm-relaxed-simd');
}

export interface NodeWorker {
  readonly thread: Worker;
  end(): Promise<void>;
}

/** @internal See `StartWorker`. */
export function startWorker(start: WorkerStart, lost: (reason: string) => void): Promise<NodeWorker> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(program, { eval: true, workerData: start, execArgv: [] });
    let ready = false;
    let ending = false;
    const ended = (reason: string): void => {
      if (!ready) reject(new Error(`a worker that ended before it was ready: ${reason}`));
      else if (!ending) lost(reason);
    };
    worker.once('error', (error: unknown) => {
      ended(String(error));
    });
    worker.once('exit', (code) => {
      ended(`exit code ${code}`);
    });
    worker.on('message', (message: string) => {
      if (message !== 'ready') {
        reject(new Error(message));
        return;
      }
      ready = true;
      // From here on it sleeps between launches and must not keep the process alive.
      worker.unref();
      const end = async (): Promise<void> => {
        ending = true;
        await worker.terminate();
      };
      resolve({ thread: worker, end });
    });
  });
}
