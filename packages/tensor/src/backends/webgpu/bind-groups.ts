/// <reference types="@webgpu/types" />
/** Bind groups, kept as long as the memory they name: a training step repeats itself, and so do they. */
import type { Failures } from './failures.ts';
import type { Memory } from './gpu-buffer.ts';
import type { Compiled } from './pipelines.ts';

/** Beyond this many all are dropped: calls that never repeat must not pile up groups. */
const capacity = 8192;

export class BindGroups {
  readonly #device: GPUDevice;
  readonly #failures: Failures;
  readonly #params: GPUBuffer;
  readonly #maxBindingSize: number;
  readonly #groups = new Map<string, GPUBindGroup>();
  /** The keys that name a memory. */
  readonly #keysOf = new Map<number, Set<string>>();

  constructor(device: GPUDevice, failures: Failures, params: GPUBuffer, maxBindingSize: number) {
    this.#device = device;
    this.#failures = failures;
    this.#params = params;
    this.#maxBindingSize = Math.floor(maxBindingSize / 16) * 16;
  }

  get count(): number {
    return this.#groups.size;
  }

  get(kernel: string, compiled: Compiled, memories: readonly Memory[], paramsSize: number): GPUBindGroup {
    const key = `${compiled.layoutId}:${memories.map(({ id }) => id).join(',')}`;
    const known = this.#groups.get(key);
    if (known) return known;
    if (this.#groups.size >= capacity) this.clear();
    this.#device.pushErrorScope('validation');
    const storage = memories.map(({ gpu, bytes }, binding) => ({
      binding,
      resource: { buffer: gpu, size: Math.min(bytes, this.#maxBindingSize) },
    }));
    const params = { binding: memories.length, resource: { buffer: this.#params, size: paramsSize } };
    const group = this.#device.createBindGroup({ layout: compiled.layout, entries: [...storage, params] });
    this.#failures.watch(this.#device.popErrorScope(), () => kernel);
    this.#groups.set(key, group);
    for (const { id } of memories) {
      const keys = this.#keysOf.get(id);
      if (keys) keys.add(key);
      else this.#keysOf.set(id, new Set([key]));
    }
    return group;
  }

  clear(): void {
    this.#groups.clear();
    this.#keysOf.clear();
  }

  /** Drops the groups that name a memory. */
  forget({ id }: Memory): void {
    for (const key of this.#keysOf.get(id) ?? []) this.#groups.delete(key);
    this.#keysOf.delete(id);
  }
}
