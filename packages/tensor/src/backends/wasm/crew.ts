/** The threads of a backend, seen from the calling one. */
import { TensorError } from '../../core/errors.ts';
import { sharesAtMost, takeShares } from './shares.ts';
import type { WasmFunction } from './web-assembly.ts';

/** A running worker, whatever kind it is. */
export interface Worker {
  /** Ends it if it has not ended by itself. */
  end(): Promise<void>;
}

/** More shares than threads: who is held up by something else takes fewer. */
const sharesPerThread = 4;
/** Reads before the calling thread goes to sleep: other threads finish their last share at about the same time. */
const spins = 2000;

export interface CrewOptions {
  readonly control: SharedArrayBuffer;
  readonly kernels: readonly WasmFunction[];
  readonly names: readonly string[];
  readonly threads: number;
  /** Milliseconds without any share being finished after which a thread is taken for dead. */
  readonly patience: number;
}

export class Crew {
  readonly #options: CrewOptions;
  readonly #ints: Int32Array;
  readonly #args: Float64Array;
  #workers: readonly Worker[] = [];
  #launches = 0;
  #failure: string | undefined;

  constructor(options: CrewOptions) {
    this.#options = options;
    this.#ints = new Int32Array(options.control);
    this.#args = new Float64Array(options.control, 64);
  }

  /** Takes charge of the workers, which all said that they are ready. */
  lead(workers: readonly Worker[]): void {
    this.#workers = workers;
  }

  /** A worker ended that was not asked to. */
  lost(worker: number, reason: string): void {
    this.#failure ??= `worker ${worker} of ${this.#options.threads - 1} ended: ${reason}`;
  }

  /** Computes units 0 … units − 1 of a kernel on all threads, and returns when all are done. */
  launch(op: string, kernel: number, units: number, args: readonly number[]): void {
    if (this.#failure !== undefined) this.#fail(op, this.#failure);
    const ints = this.#ints;
    const shares = Math.min(units, this.#options.threads * sharesPerThread, sharesAtMost);
    for (let i = 0; i < args.length; i++) this.#args[i] = args[i];
    ints[2] = 0;
    ints[3] = kernel;
    ints[4] = units;
    ints[5] = shares;
    ints[6] = args.length;
    Atomics.store(ints, 1, shares);
    this.#launches = (this.#launches + 1) & 0x7ffff;
    Atomics.store(ints, 0, this.#launches * 4096 + shares);
    Atomics.notify(ints, 0);
    takeShares(ints, this.#args, this.#options.kernels);
    this.#wait(op);
    if (Atomics.load(ints, 2) !== 0) {
      this.#failure = `kernel ${this.#options.names[kernel]} failed on one of ${this.#options.threads} threads`;
      this.#fail(op, this.#failure);
    }
  }

  /** Wakes the workers for the last time and waits until they have ended. */
  async dismiss(): Promise<void> {
    Atomics.store(this.#ints, 7, 1);
    Atomics.notify(this.#ints, 0);
    await Promise.all(this.#workers.map((worker) => worker.end()));
  }

  /** Waits for shares that others are computing: shortly by reading, then asleep where the thread may sleep. */
  #wait(op: string): void {
    const ints = this.#ints;
    let open = Atomics.load(ints, 1);
    for (let i = 0; i < spins && open > 0; i++) open = Atomics.load(ints, 1);
    let deadline = Date.now() + this.#options.patience;
    while (open > 0) {
      if (maySleep()) Atomics.wait(ints, 1, open, this.#options.patience / 4);
      const now = Atomics.load(ints, 1);
      if (now !== open) deadline = Date.now() + this.#options.patience;
      open = now;
      if (open > 0 && Date.now() > deadline) {
        this.#failure = `no share was finished for ${this.#options.patience} ms, ${open} are missing: a worker is dead or stuck`;
        this.#fail(op, this.#failure);
      }
    }
  }

  #fail(op: string, reason: string): never {
    throw new TensorError(
      op,
      'backend',
      `expected ${this.#options.threads} threads, got a failure: ${reason} (open a new wasm backend)`,
    );
  }
}

let sleepAllowed: boolean | undefined;

/** A page's main thread may not sleep; Node's and every worker may. */
function maySleep(): boolean {
  if (sleepAllowed === undefined) {
    try {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 0);
      sleepAllowed = true;
    } catch {
      sleepAllowed = false;
    }
  }
  return sleepAllowed;
}
