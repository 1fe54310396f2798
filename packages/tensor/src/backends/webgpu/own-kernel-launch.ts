/** Runs a user's own kernel: its WGSL becomes a shader whose buffers are the op's inputs and outputs. */
import type { KernelCall } from '../../core/backend.ts';
import { TensorError } from '../../core/errors.ts';
import type { Op } from '../../core/op.ts';
import type { GpuBuffer } from './gpu-buffer.ts';
import type { GpuTensor } from './kernel.ts';
import type { WebGpuKernel } from './own-kernel.ts';
import type { Shader } from './shader.ts';
import { slotBytes } from './uniform-ring.ts';
import type { UniformRing } from './uniform-ring.ts';

/** By kernel, then by the access of each buffer: the same WGSL can serve ops of any number of inputs. */
const shaders = new WeakMap<object, Map<string, Shader<string, never>>>();

interface Launch {
  launch(
    shader: Shader<string, never>,
    buffers: readonly GpuBuffer[],
    call: {
      readonly constants: Readonly<Record<string, number>>;
      readonly workgroups: number;
      readonly flops: number;
      readonly writeParams: (ring: UniformRing) => number;
    },
  ): void;
}

export function launchOwnKernel<Attrs>(
  runtime: Launch,
  op: Op<string, Attrs>,
  kernel: WebGpuKernel<Attrs>,
  call: KernelCall<GpuTensor, Attrs>,
): void {
  const { inputs, outputs } = call;
  const access = [
    ...inputs.map((_, i) => (op.mutates?.includes(i) ? 'read_write' : 'read')),
    ...outputs.map(() => 'read_write' as const),
  ];
  const words = wordsOf(op.name, kernel.params?.(call) ?? new Uint32Array(0));
  runtime.launch(
    shaderOf(op.name, kernel, access),
    [...inputs, ...outputs].map(({ buffer }) => buffer),
    {
      constants: kernel.constants?.(call) ?? {},
      workgroups: kernel.workgroups(call),
      flops: kernel.flops?.(call) ?? 0,
      writeParams: (ring) => ring.addWords(words),
    },
  );
}

function shaderOf<Attrs>(
  name: string,
  kernel: WebGpuKernel<Attrs>,
  access: readonly ('read' | 'read_write')[],
): Shader<string, never> {
  const variants = shaders.get(kernel) ?? new Map<string, Shader<string, never>>();
  shaders.set(kernel, variants);
  const key = access.join();
  const known = variants.get(key);
  if (known) return known;
  const shader: Shader<string, never> = {
    name,
    path: '',
    code: kernel.wgsl,
    buffers: access.map((kind, i) => ({ name: `binding ${i}`, access: kind })),
    params: [],
    paramsSize: slotBytes,
    constants: [],
  };
  variants.set(key, shader);
  return shader;
}

function wordsOf(op: string, params: ArrayBuffer | Float32Array | Int32Array | Uint32Array): Uint32Array {
  const words =
    params instanceof ArrayBuffer
      ? new Uint32Array(params)
      : new Uint32Array(params.buffer, params.byteOffset, params.length);
  if (words.byteLength <= slotBytes) return words;
  throw new TensorError(
    op,
    'limit',
    `expected at most ${slotBytes} bytes of parameters, got ${words.byteLength}`,
  );
}
