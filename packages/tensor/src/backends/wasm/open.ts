/** Opens a wasm backend: picks the build, makes the memory, waits for the workers. */
import { expectOneOf, rejectUnknownOptions, TensorError } from '../../core/errors.ts';
import { compileBuild, isSupported } from './builds.ts';
import type { Simd } from './builds.ts';
import { Crew } from './crew.ts';
import type { Worker } from './crew.ts';
import { LinearMemory } from './linear-memory.ts';
import { controlBytes, scratchValues } from './shares.ts';
import type { WorkerStart } from './shares.ts';
import { WasmBackend } from './wasm-backend.ts';
import { canShareMemory, webAssembly } from './web-assembly.ts';
import type { WasmFunction, WasmMemory, WasmModule } from './web-assembly.ts';

/** What every wasm backend can be told. */
export interface WasmOptions {
  /** Fused multiply-add if the engine has it ('auto'), never ('plain'), or an error without it ('relaxed'). */
  readonly simd?: 'auto' | Simd;
  /** The most that memory may grow to, in bytes; 4 GiB unless said. */
  readonly maximumMemory?: number;
}

/** What a wasm backend with threads can be told. */
export interface ThreadedWasmOptions extends WasmOptions {
  /** Threads that compute, the calling one included; as many as there are cores unless said. */
  readonly threads?: number;
}

/** How an environment starts a worker: resolves when it is ready, calls `lost` if it ends by itself afterwards. */
export type StartWorker = (start: WorkerStart, lost: (reason: string) => void) => Promise<Worker>;

/** What else an environment may say. */
export interface Environment {
  readonly startWorker: StartWorker;
  readonly cores: number;
  /** See `Crew`; settable for tests. */
  readonly patience?: number;
  /** See `WasmBackend`; settable for tests. */
  readonly worthSharing?: number;
}

const largest = 2 ** 32;
/** In pages of 64 KiB: every thread's scratch memory and some tensors. */
const smallest = 256;
const knownOptions = ['simd', 'maximumMemory', 'threads'];

/** The most threads that a wasm backend may have. */
export const mostThreads = 64;

/**
 * A backend on one thread, in any environment.
 *
 * @example
 * const backend = await wasmBackend({ simd: 'plain' });
 * backend.device; // "1 thread, plain SIMD"
 */
export function wasmBackend(options: WasmOptions = {}): Promise<WasmBackend> {
  rejectUnknownOptions('wasmBackend', options, knownOptions.slice(0, 2));
  return open('wasmBackend', options, 1, undefined);
}

/** A backend on several threads where memory can be shared, on one elsewhere. */
export function openThreaded(options: ThreadedWasmOptions, environment: Environment): Promise<WasmBackend> {
  rejectUnknownOptions('openWasm', options, knownOptions);
  const threads = options.threads ?? Math.min(environment.cores, mostThreads);
  if (!Number.isInteger(threads) || threads < 1 || threads > mostThreads) {
    throw new TensorError(
      'openWasm',
      'option',
      `threads must be a whole number in 1 … ${mostThreads}, got ${threads}`,
    );
  }
  return open('openWasm', options, canShareMemory() ? threads : 1, environment);
}

async function open(
  op: string,
  options: WasmOptions,
  threads: number,
  environment: Environment | undefined,
): Promise<WasmBackend> {
  const simd = chooseBuild(op, options.simd ?? 'auto');
  const maximumPages = pages(op, options.maximumMemory ?? largest);
  const shared = threads > 1;
  const modules = await compileBuild(simd, shared);
  const memory = new LinearMemory({ shared, maximumPages });
  const kernels = await instantiateAll(modules, memory.memory, memory.allocator.allocate(4 * scratchValues));
  const names = Object.keys(kernels);
  const parts = { memory, kernels, names, threads, simd };
  if (!shared || !environment) return new WasmBackend({ ...parts, crew: undefined });

  const control = new SharedArrayBuffer(controlBytes);
  const patience = environment.patience ?? 30_000;
  const crew = new Crew({ control, kernels: names.map((name) => kernels[name]), names, threads, patience });
  const workers = await Promise.allSettled(
    Array.from({ length: threads - 1 }, (_, i) => {
      const scratch = memory.allocator.allocate(4 * scratchValues);
      const start: WorkerStart = { modules, memory: memory.memory, control, names, scratch };
      return environment.startWorker(start, (reason) => {
        crew.lost(i + 1, reason);
      });
    }),
  );
  crew.lead(workers.flatMap((worker) => (worker.status === 'fulfilled' ? [worker.value] : [])));
  const failed = workers.find((worker) => worker.status === 'rejected');
  if (failed) {
    await crew.dismiss();
    throw new TensorError(op, 'backend', `expected ${threads} threads, got ${String(failed.reason)}`);
  }
  return new WasmBackend({ ...parts, crew, worthSharing: environment.worthSharing });
}

/** The kernels of all modules, over one memory. */
async function instantiateAll(
  modules: readonly WasmModule[],
  memory: WasmMemory,
  scratch: number,
): Promise<Readonly<Record<string, WasmFunction>>> {
  const instances = await Promise.all(
    modules.map((module) => webAssembly.instantiate(module, { env: { memory } })),
  );
  const kernels: Record<string, WasmFunction> = {};
  for (const { exports } of instances) {
    const { useScratch, ...own } = exports;
    useScratch?.(scratch);
    for (const [name, kernel] of Object.entries(own))
      if (typeof kernel === 'function') kernels[name] = kernel;
  }
  return kernels;
}

function chooseBuild(op: string, simd: 'auto' | Simd): Simd {
  expectOneOf(op, 'simd', simd, ['auto', 'plain', 'relaxed']);
  const chosen = simd === 'auto' ? (isSupported('relaxed') ? 'relaxed' : 'plain') : simd;
  if (isSupported(chosen)) return chosen;
  throw new TensorError(op, 'backend', `expected an engine with ${chosen} WebAssembly SIMD, got one without`);
}

function pages(op: string, maximumMemory: number): number {
  const count = Math.floor(maximumMemory / 65536);
  if (count >= smallest && maximumMemory <= largest) return count;
  throw new TensorError(
    op,
    'option',
    `maximumMemory must be in ${smallest * 65536} (16 MiB) … ${largest} (4 GiB), got ${maximumMemory}`,
  );
}
