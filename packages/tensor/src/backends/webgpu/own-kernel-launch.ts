/** Runs a user's own kernel: its WGSL becomes a shader whose buffers are the op's inputs and outputs. */
import type { KernelCall } from '../../core/backend.ts';
import { TensorError } from '../../core/errors.ts';
import { mapValues } from '../../core/operands.ts';
import type { Named } from '../../core/operands.ts';
import type { GpuBuffer } from './gpu-buffer.ts';
import type { GpuRows, GpuTensor } from './kernel.ts';
import type { AnyWebGpuKernel } from './own-kernel.ts';
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

interface Binding {
  readonly access: 'read' | 'read_write';
  readonly buffer: GpuBuffer;
}

export function launchOwnKernel(runtime: Launch, kernel: AnyWebGpuKernel, call: KernelCall<GpuBuffer>): void {
  const { op, operands, outputs, attrs } = call;
  const bindings = bindingsOf(call);
  const given = [operands, outputs, attrs] as unknown as [never, never, never];
  const words = wordsOf(op.name, kernel.params?.(...given) ?? new Uint32Array(0));
  runtime.launch(
    shaderOf(
      op.name,
      kernel,
      bindings.map(({ access }) => access),
    ),
    bindings.map(({ buffer }) => buffer),
    {
      constants: kernel.constants?.(...given) ?? {},
      workgroups: kernel.workgroups(...given),
      flops: kernel.flops?.(...given) ?? 0,
      writeParams: (ring) => ring.addWords(words),
    },
  );
}

/** Operands, then outputs, in the order in which the op names them; an index is its ids, offsets and order. */
function bindingsOf({ op: { names }, operands, outputs }: KernelCall<GpuBuffer>): Binding[] {
  const bindings: Binding[] = [];
  const bind = (
    list: readonly Named[],
    values: typeof operands,
    access: (name: string) => Binding['access'],
  ) => {
    mapValues(
      list,
      values,
      ({ buffer }: GpuTensor, name) => bindings.push({ access: access(name), buffer }),
      ({ ids, offsets, order }: GpuRows) => {
        for (const { buffer } of [ids, offsets, order]) bindings.push({ access: 'read', buffer });
      },
    );
  };
  bind(names.operands, operands, (name) => (names.mutates?.includes(name) ? 'read_write' : 'read'));
  bind(names.outputs, outputs, () => 'read_write');
  return bindings;
}

function shaderOf(
  name: string,
  kernel: AnyWebGpuKernel,
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
