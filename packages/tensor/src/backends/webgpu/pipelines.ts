/// <reference types="@webgpu/types" />
/** Compiled kernels, one for each shader and set of override constants. */
import type { Shader } from '../../core/shader.ts';
import type { Failures, Trial } from './failures.ts';
import { labelOf } from './failures.ts';
import { compileErrors } from './compile-messages.ts';

export type Constants = Readonly<Record<string, number>>;

/** A kernel ready to run, or being compiled. */
export interface Compiled {
  /** Names the bind-group layout in cache keys. */
  readonly layoutId: number;
  readonly layout: GPUBindGroupLayout;
  pipeline: GPUComputePipeline | undefined;
  /** Of a user's own kernel: whether the device takes it. */
  readonly trial: Trial | undefined;
}

interface Module {
  readonly id: number;
  readonly module: GPUShaderModule;
  readonly groupLayout: GPUBindGroupLayout;
  readonly layout: GPUPipelineLayout;
  /** What the device said of a user's own kernel: whoever uses it is told. */
  readonly said: readonly Outcome[];
}

type Outcome = Promise<{ readonly message: string } | null>;

/** Given as text by a user, and not known to compile until it has. */
const isOwn = ({ path }: Shader<string, never>): boolean => path === '';

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
      compiled = {
        layoutId: shaderModule.id,
        layout: shaderModule.groupLayout,
        pipeline: undefined,
        trial: isOwn(shader) ? { kernel: shader.name, isOver: false, failure: undefined } : undefined,
      };
      this.#compiled.set(key, compiled);
      for (const outcome of shaderModule.said) this.#tell(compiled.trial, shader.name, outcome);
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
    await Promise.race([Promise.all(wanted.map((compile) => compile())), this.#failures.loss]);
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
            this.#tell(compiled.trial, shader.name, Promise.resolve(error as Error));
        }
        this.#tell(compiled.trial, shader.name, Promise.resolve(null), true);
      });
      return;
    }
    const [pipeline, outcome] = this.#guarded(() => this.#device.createComputePipeline(descriptor));
    compiled.pipeline = pipeline;
    this.#tell(compiled.trial, shader.name, outcome, true);
  }

  /** Takes what the device says of a kernel: to the trial of a user's own, to everybody otherwise. */
  #tell(trial: Trial | undefined, kernel: string, outcome: Outcome, isLast = false): void {
    if (trial) this.#failures.watchTrial(trial, outcome, isLast);
    else this.#failures.watch(outcome, () => kernel);
  }

  #moduleOf(shader: Shader<string, never>): Module {
    const known = this.#modules.get(shader);
    if (known) return known;
    const [module, moduleOutcome] = this.#shaderModule(shader);
    const [layouts, layoutOutcome] = this.#guarded(() => {
      const groupLayout = this.#device.createBindGroupLayout({
        label: labelOf(shader.name),
        entries: layoutEntries(shader),
      });
      return { groupLayout, layout: this.#device.createPipelineLayout({ bindGroupLayouts: [groupLayout] }) };
    });
    const said = [moduleOutcome, layoutOutcome];
    if (!isOwn(shader)) for (const outcome of said) this.#tell(undefined, shader.name, outcome);
    const made = { id: this.#modules.size, module, ...layouts, said: isOwn(shader) ? said : [] };
    this.#modules.set(shader, made);
    return made;
  }

  #shaderModule(shader: Shader<string, never>): readonly [GPUShaderModule, Outcome] {
    const [module, outcome] = this.#guarded(() =>
      this.#device.createShaderModule({ label: labelOf(shader.name), code: shader.code }),
    );
    const explained = outcome.then(async (error) => {
      const message = error && (await compileErrors(shader, module));
      return message ? { message } : error;
    });
    return [module, explained];
  }

  #guarded<T>(make: () => T): readonly [T, Outcome] {
    this.#device.pushErrorScope('validation');
    const made = make();
    return [made, this.#device.popErrorScope()];
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
