/** What there is to train on. */
import { arch, availableParallelism, cpus, platform, release, totalmem } from 'node:os';
import { TensorError } from '@flowgrad/tensor';
import { openDevice, openWasm } from '@flowgrad/tensor/node';
import { version } from '../version.ts';

export type AdapterFinding =
  | {
      readonly found: true;
      readonly name: string;
      readonly features: readonly string[];
      readonly limits: Readonly<Record<string, number>>;
    }
  | { readonly found: false; readonly tried: readonly string[] };

export interface Machine {
  readonly flowgrad: string;
  readonly node: string;
  readonly platform: string;
  readonly processor: string;
  readonly cores: number;
  /** GiB. */
  readonly memory: number;
  readonly wasm: {
    readonly simd: boolean;
    readonly relaxedSimd: boolean;
    readonly threads: number;
    /** What the backend says that it runs on. */
    readonly device: string;
  };
  readonly webgpu: { readonly hardware: AdapterFinding; readonly software: AdapterFinding };
  /** What `--device auto` comes to. */
  readonly auto: string;
  /** What to do about what is missing. */
  readonly advice: readonly string[];
}

export async function inspectMachine(): Promise<Machine> {
  const wasm = await inspectWasm();
  const hardware = await inspectAdapter('hardware');
  const software = await inspectAdapter('software');
  return {
    flowgrad: version,
    node: process.version,
    platform: `${platform()} ${release()} ${arch()}`,
    processor: cpus()[0]?.model.trim() ?? 'unknown processor',
    cores: availableParallelism(),
    memory: Math.round(totalmem() / 2 ** 30),
    wasm,
    webgpu: { hardware, software },
    auto: hardware.found ? `webgpu, ${hardware.name}` : `wasm, ${wasm.device}`,
    advice: adviceOn(wasm, hardware),
  };
}

async function inspectWasm(): Promise<Machine['wasm']> {
  try {
    const backend = await openWasm();
    const { threads, simd, device } = backend;
    await backend.close();
    return { simd: true, relaxedSimd: simd === 'relaxed', threads, device };
  } catch {
    return { simd: false, relaxedSimd: false, threads: 0, device: 'no SIMD' };
  }
}

/** The limits that this engine's kernels meet. */
const limitNames = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxStorageBuffersPerShaderStage',
  'maxComputeWorkgroupStorageSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupsPerDimension',
];

interface GpuDevice {
  readonly features: Iterable<string>;
  readonly limits: Readonly<Record<string, number>>;
  destroy(): void;
}

async function inspectAdapter(adapter: 'hardware' | 'software'): Promise<AdapterFinding> {
  try {
    const opened = await openDevice({ adapter });
    const device = opened.device as unknown as GpuDevice;
    const finding = {
      found: true,
      name: opened.adapter.name,
      features: [...device.features].sort(),
      limits: Object.fromEntries(limitNames.map((name) => [name, device.limits[name]])),
    } as const;
    device.destroy();
    return finding;
  } catch (error) {
    if (!(error instanceof TensorError)) throw error;
    const tried = Array.from(error.message.matchAll(/^ {2}- (.*)$/gm), ([, line]) => line);
    return { found: false, tried: tried.length > 0 ? tried : [error.message] };
  }
}

function adviceOn(wasm: Machine['wasm'], hardware: AdapterFinding): string[] {
  const advice: string[] = [];
  if (!hardware.found) {
    const tried = hardware.tried.join('\n');
    if (tried.includes('package webgpu')) {
      advice.push('To train on a GPU, install Dawn: npm install webgpu.');
    } else {
      advice.push(
        'No GPU was found: training runs on wasm. If there is one, install its Vulkan driver (and libvulkan1 on Linux).',
      );
    }
  }
  if (!wasm.simd)
    advice.push('wasm cannot run: this Node has no WebAssembly SIMD; install Node 20.19 or newer.');
  else if (!wasm.relaxedSimd)
    advice.push('No relaxed SIMD: training is slower here; a newer Node may have it.');
  if (wasm.simd && wasm.threads < 2) advice.push('One thread only: experiments cannot use several cores.');
  return advice;
}
