/** The wasm backend on Web Workers, in a page that is cross-origin isolated; on one thread elsewhere. */
import { openThreaded } from '../backends/wasm/open.ts';
import type { StartWorker, ThreadedWasmOptions } from '../backends/wasm/open.ts';
import { workerProgram } from '../backends/wasm/shares.ts';
import type { WasmBackend } from '../backends/wasm/wasm-backend.ts';

const program = `
${workerProgram}
onmessage = ({ data }) => serve(data, (message) => postMessage(message));
`;

/**
 * Opens a wasm backend on as many threads as there are cores, if the page may share memory.
 *
 * @example
 * const backend = await openWasm({ threads: 2 });
 * await backend.close();
 */
export async function openWasm(options: ThreadedWasmOptions = {}): Promise<WasmBackend> {
  return openThreaded(options, { startWorker, cores: navigator.hardwareConcurrency });
}

/** @internal */
export const startWorker: StartWorker = (start, lost) =>
  new Promise((resolve, reject) => {
    // Made of text rather than of a file, so that no bundler has to know about it.
    const url = URL.createObjectURL(new Blob([program], { type: 'text/javascript' }));
    const worker = new Worker(url);
    let ready = false;
    worker.onerror = ({ message }) => {
      if (ready) lost(message);
      else reject(new Error(message));
    };
    worker.onmessage = ({ data }: MessageEvent<string>) => {
      URL.revokeObjectURL(url);
      if (data !== 'ready') {
        reject(new Error(data));
        return;
      }
      ready = true;
      resolve({
        end: () => {
          worker.terminate();
          return Promise.resolve();
        },
      });
    };
    worker.postMessage(start);
  });
