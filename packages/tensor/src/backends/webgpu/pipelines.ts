/// <reference types="@webgpu/types" />
/** Compiled kernels, one for each shader and set of override constants. */
import type { Failures } from './failures.ts';
import { labelOf } from './failures.ts';
import { compileErrors } from './compile-messages.ts';
import type { Shader } from './shader.ts';

export type Constants = Readonly<Record<string, number>>;

/** A kernel ready to run, or being compiled. */
export interface Compiled {
  /** Names the bind-group layout in cache keys. */
  readonly layoutId: number;
  readonly layout: GPUBindGroupLayout;
  pipeline: GPUComputePipeline | undefined;
}

interface Module {
  readonly id: number;
  readonly module: GPUShaderModule;
  readonly groupLayout: GPUBindGroupLayout;
  readonly layout: GPUPipelineLayout;
}

export class Pipelines {
  readonly #device: GPUDevice;
  readonly #failures: Failures;
  readonly #modules = new Map<Shader<string, never>, Module>();
  readonly #compiled = new Map<string, Compiled>();
  /** While warming up: what has been asked for and is not compiled yet. */
  #wanted: (() => Promise<void>)[] | undefined;

  constructor(device: GPUDevice, failures: Failures) {
    this.#device = device;
    this.#failures = failures;
  }

  get count(): number {
    return this.#compiled.size;
  }

  get(shader: Shader<string, never>, constants: Constants): Compiled {
    const shaderModule = this.#moduleOf(shader);
    const key = `${shaderModule.id} ${Object.entries(constants).flat().join(' ')}`;
    let compiled = this.#compiled.get(key);
    if (!compiled) {
      compiled = { layoutId: shaderModule.id, layout: shaderModule.groupLayout, pipeline: undefined };
      this.#compiled.set(key, compiled);
    }
    if (!compiled.pipeline) this.#compile(shader, shaderModule, constants, compiled);
    return compiled;
  }

  /** Calls `fn`, during which nothing is compiled; then compiles what it asked for without blocking. */
  async warmUp(fn: () => void): Promise<void> {
    const wanted: (() => Promise<void>)[] = [];
    this.#wanted = wanted;
    try {
      fn();
    } finally {
      this.#wanted = undefined;
    }
    await Promise.all(wanted.map((compile) => compile()));
  }

  get isWarmingUp(): boolean {
    return this.#wanted !== undefined;
  }

  close(): void {
    this.#modules.clear();
    this.#compiled.clear();
  }

  #compile(
    shader: Shader<string, never>,
    { module, layout }: Module,
    constants: Constants,
    compiled: Compiled,
  ): void {
    const descriptor: GPUComputePipelineDescriptor = {
      label: labelOf(shader.name),
      layout,
      compute: { module, entryPoint: 'main', constants },
    };
    if (this.#wanted) {
      this.#wanted.push(async () => {
        try {
          const pipeline = await this.#device.createComputePipelineAsync(descriptor);
          compiled.pipeline ??= pipeline;
        } catch (error) {
          if (!this.#failures.isLost)
            this.#failures.watch(Promise.resolve(error as Error), () => shader.name);
        }
      });
      return;
    }
    this.#guarded(shader.name, () => {
      compiled.pipeline = this.#device.createComputePipeline(descriptor);
    });
  }

  #moduleOf(shader: Shader<string, never>): Module {
    const known = this.#modules.get(shader);
    if (known) return known;
    const module = this.#shaderModule(shader);
    return this.#guarded(shader.name, () => {
      const groupLayout = this.#device.createBindGroupLayout({
        label: labelOf(shader.name),
        entries: layoutEntries(shader),
      });
      const layout = this.#device.createPipelineLayout({ bindGroupLayouts: [groupLayout] });
      const made = { id: this.#modules.size, module, groupLayout, layout };
      this.#modules.set(shader, made);
      return made;
    });
  }

  #shaderModule(shader: Shader<string, never>): GPUShaderModule {
    this.#device.pushErrorScope('validation');
    const module = this.#device.createShaderModule({ label: labelOf(shader.name), code: shader.code });
    const explained = this.#device.popErrorScope().then(async (error) => {
      const message = error && (await compileErrors(shader, module));
      return message ? { message } : error;
    });
    this.#failures.watch(explained, () => shader.name);
    return module;
  }

  #guarded<T>(kernel: string, fn: () => T): T {
    this.#device.pushErrorScope('validation');
    try {
      return fn();
    } finally {
      this.#failures.watch(this.#device.popErrorScope(), () => kernel);
    }
  }
}

function layoutEntries({ buffers, paramsSize }: Shader<string, never>): GPUBindGroupLayoutEntry[] {
  const visibility = 4; // GPUShaderStage.COMPUTE
  const storage = buffers.map(({ access }, binding): GPUBindGroupLayoutEntry => ({
    binding,
    visibility,
    buffer: { type: access === 'read' ? 'read-only-storage' : 'storage' },
  }));
  const params: GPUBindGroupLayoutEntry = {
    binding: buffers.length,
    visibility,
    buffer: { type: 'uniform', hasDynamicOffset: true, minBindingSize: paramsSize },
  };
  return [...storage, params];
}
