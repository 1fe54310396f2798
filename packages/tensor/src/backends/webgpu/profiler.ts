/// <reference types="@webgpu/types" />
/** Gathers what a Profile shows: every dispatch, and the times at which the device began and ended it. */
import type { CommandObserver } from './command-stream.ts';
import { usage } from './gpu-buffer.ts';
import { Profile } from './profile.ts';
import type { ProfiledDispatch } from './profile.ts';

/** Two times per dispatch; WebGPU allows 4,096 in a set. A batch of commands never has more dispatches. */
const queriesPerBatch = 4096;

export class Profiler implements CommandObserver {
  readonly #device: GPUDevice;
  readonly #hasTimes: boolean;
  readonly #dispatches: Omit<ProfiledDispatch, 'start' | 'duration'>[] = [];
  readonly #batches: { readonly staging: GPUBuffer; readonly count: number }[] = [];
  #queries: GPUQuerySet | undefined;
  #used = 0;

  constructor(device: GPUDevice) {
    this.#device = device;
    this.#hasTimes = device.features.has('timestamp-query');
  }

  note(dispatch: Omit<ProfiledDispatch, 'start' | 'duration'>): void {
    this.#dispatches.push(dispatch);
  }

  timestampWrites(): GPUComputePassTimestampWrites | undefined {
    if (!this.#hasTimes) return undefined;
    this.#queries ??= this.#device.createQuerySet({ type: 'timestamp', count: queriesPerBatch });
    const first = this.#used;
    this.#used += 2;
    return {
      querySet: this.#queries,
      beginningOfPassWriteIndex: first,
      endOfPassWriteIndex: first + 1,
    };
  }

  beforeSubmit(encoder: GPUCommandEncoder): void {
    if (!this.#queries || this.#used === 0) return;
    const size = this.#used * 8;
    const resolved = this.#device.createBuffer({ size, usage: usage.queryResolve | usage.copySource });
    const staging = this.#device.createBuffer({ size, usage: usage.mapRead | usage.copyTarget });
    encoder.resolveQuerySet(this.#queries, 0, this.#used, resolved, 0);
    encoder.copyBufferToBuffer(resolved, 0, staging, 0, size);
    this.#batches.push({ staging, count: this.#used });
    this.#used = 0;
  }

  /** Reads the times with `map`, which waits for a buffer, and frees everything. */
  async finish(map: (staging: GPUBuffer, bytes: number) => Promise<void>): Promise<Profile> {
    const times: number[] = [];
    let origin: bigint | undefined;
    for (const { staging, count } of this.#batches) {
      await map(staging, count * 8);
      for (const nanoseconds of new BigUint64Array(staging.getMappedRange())) {
        origin ??= nanoseconds;
        times.push(Number(nanoseconds - origin) / 1e3);
      }
      staging.destroy();
    }
    this.#queries?.destroy();
    const dispatches = this.#dispatches.map((dispatch, i) =>
      this.#hasTimes
        ? { ...dispatch, start: times[2 * i], duration: Math.max(0, times[2 * i + 1] - times[2 * i]) }
        : dispatch,
    );
    return new Profile(dispatches, this.#hasTimes);
  }
}
