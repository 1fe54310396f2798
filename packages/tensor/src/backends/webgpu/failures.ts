/// <reference types="@webgpu/types" />
/**
 * What went wrong on the device. WebGPU reports late and elsewhere; here reports are collected, and raised by the
 * next call that waits. A failure stays: nothing computed after it can be trusted. Only that of a user's own kernel
 * concerns no more than what it was to write, and what was computed from that.
 */
import { DeviceLostError, TensorError } from '../../core/errors.ts';
import type { TensorErrorCode } from '../../core/errors.ts';

/** Pipelines carry their kernel's name in this form, so that it can be read back from a device's message. */
export const labelOf = (kernel: string): string => `kernel ${kernel}`;

function kernelIn(message: string): string | undefined {
  return /kernel ([\w-]+)/.exec(message)?.[1];
}

/**
 * The first use of a user's own kernel, of which the device has still to say whether it takes it. What it was to write
 * is an error to read if not; everything else goes on.
 */
export interface Trial {
  readonly kernel: string;
  isOver: boolean;
  failure: TensorError | undefined;
}

export class Failures {
  #settleLoss: () => void = () => undefined;
  /** Settles when the device is lost or the backend is closed, never otherwise. */
  readonly loss = new Promise<void>((resolve) => {
    this.#settleLoss = resolve;
  });
  /** Why the device is gone. Not an error yet: one made here would hold on to what called for the end. */
  #lost: string | undefined;
  #first: TensorError | undefined;
  /** Of users' kernels, until someone has been told. */
  readonly #untold = new Set<TensorError>();
  readonly #pending = new Set<Promise<void>>();
  /** The report asked for last. */
  #last: Promise<void> = Promise.resolve();

  constructor(device: GPUDevice) {
    void device.lost.then(({ reason, message }) => {
      this.#lose(reason === 'destroyed' ? 'it was destroyed' : message || String(reason));
    });
    device.addEventListener('uncapturederror', (event) => {
      // Else it is printed; the type of DOM events is not at hand here.
      (event as { preventDefault?: () => void }).preventDefault?.();
      this.record(event.error, undefined);
    });
  }

  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  /** From now on the device counts as gone, whether it ever says so itself or not: nobody waits for it any longer. */
  markClosed(): void {
    this.#lose('the backend was closed');
  }

  #lose(why: string): void {
    this.#lost ??= why;
    this.#settleLoss();
  }

  requireDevice(): void {
    if (this.#lost !== undefined) throw new DeviceLostError(this.#lost);
  }

  /**
   * Takes the outcome of an error scope; `culprit` names the kernel or op if there was an error. Outcomes count in the
   * order in which they were asked for, so that the first of them is the cause of the others.
   */
  watch(scope: Outcome, culprit: () => string | undefined): void {
    this.#await(scope, (error) => {
      if (error) this.record(error, culprit());
    });
  }

  /** The same for what concerns one user's kernel alone; the last of its outcomes ends the trial. */
  watchTrial(trial: Trial, scope: Outcome, isLast = false): void {
    this.#await(scope, (error) => {
      if (error && !trial.failure) {
        trial.failure = failureOf(error, trial.kernel);
        this.#untold.add(trial.failure);
      }
      trial.isOver ||= isLast;
    });
  }

  #await(scope: Outcome, then: (error: { readonly message: string } | null) => void): void {
    const outcome = Promise.all([scope, this.#last]).then(
      ([error]) => {
        then(error);
      },
      () => undefined, // Only a lost device refuses, and `loss` tells that.
    );
    this.#last = outcome;
    const settled = outcome.finally(() => this.#pending.delete(settled));
    this.#pending.add(settled);
  }

  record(error: { readonly message: string }, culprit: string | undefined): void {
    this.#first ??= failureOf(error, culprit);
  }

  /** Raises what is wrong with the kernels that values came from, if anything is. */
  checkTrials(trials: readonly Trial[]): void {
    const failure = trials.find((trial) => trial.failure)?.failure;
    if (!failure) return;
    this.#untold.delete(failure);
    throw failure;
  }

  /** Raises a failure of a user's kernel that nobody has been told of, once. */
  checkUntold(): void {
    for (const failure of this.#untold) {
      this.#untold.delete(failure);
      throw failure;
    }
  }

  check(): void {
    this.requireDevice();
    if (this.#first) throw this.#first;
  }

  /** Waits for all reports on what was submitted, and raises the first. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0 && !this.isLost)
      await Promise.race([Promise.all(this.#pending), this.loss]);
    this.check();
  }
}

type Outcome = Promise<{ readonly message: string } | null>;

function failureOf(error: { readonly message: string }, culprit: string | undefined): TensorError {
  const code: TensorErrorCode = error.constructor.name.includes('OutOfMemory') ? 'memory' : 'kernel';
  const name = culprit ?? kernelIn(error.message) ?? 'webgpu';
  const what = code === 'memory' ? 'the device has no memory left for it' : 'the device refused it';
  return new TensorError(name, code, `${what}: ${error.message.trim()}`);
}
