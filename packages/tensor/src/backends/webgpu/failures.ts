/// <reference types="@webgpu/types" />
/**
 * What went wrong on the device. WebGPU reports late and elsewhere; here reports are collected, and raised by the
 * next call that waits. A failure stays: nothing computed after it can be trusted.
 */
import { DeviceLostError, TensorError } from '../../core/errors.ts';
import type { TensorErrorCode } from '../../core/errors.ts';

/** Pipelines carry their kernel's name in this form, so that it can be read back from a device's message. */
export const labelOf = (kernel: string): string => `kernel ${kernel}`;

function kernelIn(message: string): string | undefined {
  return /kernel ([\w-]+)/.exec(message)?.[1];
}

export class Failures {
  /** Settles when the device is lost, never otherwise. */
  readonly loss: Promise<void>;
  /** Why the device is gone. Not an error yet: one made here would hold on to what called for the end. */
  #lost: string | undefined;
  #first: TensorError | undefined;
  readonly #pending = new Set<Promise<void>>();
  /** The report asked for last. */
  #last: Promise<void> = Promise.resolve();

  constructor(device: GPUDevice) {
    this.loss = device.lost.then(({ reason, message }) => {
      this.#lost ??= reason === 'destroyed' ? 'it was destroyed' : message || String(reason);
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

  /** From now on the device counts as gone, even before it says so itself. */
  markClosed(): void {
    this.#lost ??= 'the backend was closed';
  }

  requireDevice(): void {
    if (this.#lost !== undefined) throw new DeviceLostError(this.#lost);
  }

  /**
   * Takes the outcome of an error scope; `culprit` names the kernel or op if there was an error. Outcomes count in the
   * order in which they were asked for, so that the first of them is the cause of the others.
   */
  watch(scope: Promise<{ readonly message: string } | null>, culprit: () => string | undefined): void {
    const outcome = Promise.all([scope, this.#last]).then(
      ([error]) => {
        if (error) this.record(error, culprit());
      },
      () => undefined, // Only a lost device refuses, and `loss` tells that.
    );
    this.#last = outcome;
    const settled = outcome.finally(() => this.#pending.delete(settled));
    this.#pending.add(settled);
  }

  record(error: { readonly message: string }, culprit: string | undefined): void {
    const code: TensorErrorCode = error.constructor.name.includes('OutOfMemory') ? 'memory' : 'kernel';
    const name = culprit ?? kernelIn(error.message) ?? 'webgpu';
    const what = code === 'memory' ? 'the device has no memory left for it' : 'the device refused it';
    this.#first ??= new TensorError(name, code, `${what}: ${error.message.trim()}`);
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
