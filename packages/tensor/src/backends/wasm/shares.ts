/**
 * How threads divide a kernel's work. The units of a launch are cut into shares before anyone starts; every thread,
 * the calling one included, takes shares until none is left. Who computes a share does not change what comes out,
 * because a unit is computed in the same way wherever it falls.
 *
 * The two functions below run in workers too, where they arrive as source text: they use nothing but their arguments
 * and what every engine has.
 */
import type { WasmFunction, WasmMemory, WasmModule } from './web-assembly.ts';

/**
 * The block of shared memory that the threads talk through, int32 by int32:
 * 0 the ticket: number of the launch · 4096 + shares nobody has taken yet;  1 shares not finished;
 * 2 whether a share failed;  3 kernel;  4 units;  5 shares;  6 how many arguments;  7 whether to stop.
 * From byte 64 on: the kernel's arguments as float64, which holds every pointer, int32 and float32 exactly.
 */
export const controlBytes = 64 + 8 * 24;
export const sharesAtMost = 4095;

/** What a worker needs to begin. */
export interface WorkerStart {
  readonly modules: readonly WasmModule[];
  readonly memory: WasmMemory;
  readonly control: SharedArrayBuffer;
  /** The kernels' names in the order in which launches number them. */
  readonly names: readonly string[];
  /** Memory that no other thread writes to. */
  readonly scratch: number;
}

/** Values in it: what multiply.as.ts packs rows into. */
export const scratchValues = 32768;

/** Takes and computes shares until there are none. */
export function takeShares(ints: Int32Array, args: Float64Array, kernels: readonly WasmFunction[]): void {
  for (;;) {
    const ticket = Atomics.load(ints, 0);
    const left = ticket & 4095;
    if (left === 0) return;
    // Of all threads that saw this ticket, one gets the share; the launch cannot end before it is computed.
    if (Atomics.compareExchange(ints, 0, ticket, ticket - 1) !== ticket) continue;
    const units = ints[4];
    const shares = ints[5];
    const call = [Math.floor(((left - 1) * units) / shares), Math.floor((left * units) / shares)];
    for (let i = 0; i < ints[6]; i++) call.push(args[i]);
    try {
      kernels[ints[3]](...call);
    } catch {
      Atomics.store(ints, 2, 1);
    }
    if (Atomics.sub(ints, 1, 1) === 1) Atomics.notify(ints, 1);
  }
}

/** The whole life of a worker: says 'ready', then sleeps until there is a launch. */
export function serveShares(
  start: WorkerStart,
  say: (message: string) => void,
  take: typeof takeShares,
): Promise<void> {
  interface Engine {
    readonly WebAssembly: {
      instantiate(
        module: unknown,
        imports: object,
      ): Promise<{ exports: Partial<Record<string, WasmFunction>> }>;
    };
  }
  const engine = globalThis as unknown as Engine;
  const ints = new Int32Array(start.control);
  const args = new Float64Array(start.control, 64);
  const imports = { env: { memory: start.memory } };
  return Promise.all(start.modules.map((module) => engine.WebAssembly.instantiate(module, imports))).then(
    (instances) => {
      const all: Partial<Record<string, WasmFunction>> = {};
      for (const { exports } of instances) {
        exports.useScratch?.(start.scratch);
        Object.assign(all, exports);
      }
      const kernels = start.names.map((name) => all[name] as WasmFunction);
      say('ready');
      while (Atomics.load(ints, 7) === 0) {
        take(ints, args, kernels);
        // The next launch often follows within microseconds; after that the worker sleeps.
        let ticket = Atomics.load(ints, 0);
        for (let i = 0; i < 2000 && (ticket & 4095) === 0; i++) ticket = Atomics.load(ints, 0);
        if ((ticket & 4095) === 0 && Atomics.load(ints, 7) === 0) Atomics.wait(ints, 0, ticket);
      }
    },
    (error: unknown) => {
      say(`failed: ${String(error)}`);
    },
  );
}

/** A worker's program: defines `serve(start, say)`. What comes around it depends on the kind of worker. */
export const workerProgram = `
const take = (${takeShares.toString()});
const serveShares = (${serveShares.toString()});
const serve = (start, say) => serveShares(start, say, take);
`;
