import { afterEach, describe, expect, it } from 'vitest';
import { setBackend } from '../../core/backend.ts';
import { TensorError } from '../../core/errors.ts';
import { defineOp } from '../../core/op.ts';
import type { NoAttrs } from '../../core/op.ts';
import type { OwnKernels } from '../../core/own-kernels.ts';
import { scope } from '../../core/scope.ts';
import type { Tensor } from '../../core/tensor.ts';
import { full, tensor } from '../../create/create.ts';
import { openWasm } from '../../node/index.ts';
import { add } from '../../ops/elementwise/binary.op.ts';
import { registry } from '../../ops/registry.ts';
import { unshared } from './builds.ts';
import { wasmKernels } from '../../ops/generated/wasm-kernels.ts';
import { wasmBackend } from './open.ts';
import type { WasmKernelTable } from './wasm-kernel.ts';

const MiB = 2 ** 20;

afterEach(() => setBackend(undefined));

describe('linear memory', () => {
  it.for([1, 2])('keeps values when it grows, with %d threads', async (threads) => {
    const backend = await openWasm({ threads });
    setBackend(backend);
    await scope(async () => {
      const early = tensor([1, 2, 3]);
      const tensors = Array.from({ length: 5 }, (_, i) => full([MiB], i));
      expect(backend.memory.inUse).toBeGreaterThan(5 * 4 * MiB);
      expect(await add(early, 1).data()).toEqual(Float32Array.of(2, 3, 4));
      for (const [i, x] of tensors.entries()) expect((await x.data())[MiB - 1]).toBe(i);
    });
    await backend.close();
  });

  it('is reused: a step that frees what it made does not grow it', async () => {
    const backend = await wasmBackend();
    setBackend(backend);
    const step = (): void => {
      scope(() => {
        const x = full([100_000], 1);
        add(add(x, x), x);
      });
    };
    step();
    const once = backend.memory;
    expect(once.peak).toBeGreaterThan(once.inUse + 3 * 400_000);
    expect(once.size).toBeGreaterThanOrEqual(once.highWater);
    for (let i = 0; i < 20; i++) step();
    expect(backend.memory).toEqual(once);
  });

  it('ends with a typed error that says how much, and is usable afterwards', async () => {
    const backend = await wasmBackend({ maximumMemory: 16 * MiB });
    setBackend(backend);
    scope(() => {
      full([2 * MiB], 1);
      const grow = (): Tensor => full([2 * MiB], 2);
      expect(grow).toThrow(TensorError);
      expect(grow).toThrow(expect.objectContaining({ code: 'memory' }) as Error);
      expect(grow).toThrow(/allocate: expected room for 8 MiB, got 8.1 MiB in use .* of at most 16 MiB/);
    });
    const x = full([MiB], 3);
    expect((await x.data())[7]).toBe(3);
    x.dispose();
  });

  it('refuses limits that cannot be', async () => {
    await expect(wasmBackend({ maximumMemory: 2 ** 33 })).rejects.toThrow(
      'wasmBackend: maximumMemory must be in 16777216 (16 MiB) … 4294967296 (4 GiB), got 8589934592',
    );
  });
});

/** y = 2x + 1 */
const affine = (kernels: OwnKernels<{ readonly x: 'tensor' }, { readonly y: 'tensor' }, NoAttrs>) =>
  defineOp({
    name: 'affine',
    operands: { x: 'tensor' },
    outputs: { y: 'tensor' },
    infer: ({ x }) => ({ y: x }),
    reference: ({ x }, { y }) => {
      for (let i = 0; i < x.data.length; i++) y.data[i] = 2 * x.data[i] + 1;
    },
    kernels,
  });

describe("a user's own op", () => {
  it('runs its wasm kernel on views of linear memory', async () => {
    setBackend(await wasmBackend());
    const op = affine({
      wasm: ({ x }, { y }) => {
        expect(x.data).toBeInstanceOf(Float32Array);
        y.data.set(x.data.map((value) => 2 * value + 1));
      },
    });
    await scope(async () => {
      expect(await op.apply({ x: tensor([1, 2]) }, {}).y.data()).toEqual(Float32Array.of(3, 5));
    });
  });

  it('without one says what to do', async () => {
    setBackend(await wasmBackend());
    scope(() => {
      expect(() => affine({}).apply({ x: tensor([1]) }, {})).toThrow(
        /affine: expected a kernel for the wasm backend, got none \(give defineOp kernels: \{ wasm: /,
      );
    });
  });

  it('is not mistaken for the op of the registry whose name it has', async () => {
    setBackend(await wasmBackend());
    const impostor = defineOp({
      name: 'exp',
      operands: { x: 'tensor' },
      outputs: { y: 'tensor' },
      infer: ({ x }) => ({ y: x }),
      reference: () => undefined,
    });
    scope(() => {
      expect(() => impostor.apply({ x: tensor([1]) }, {})).toThrow(
        'exp: expected a kernel for the wasm backend',
      );
    });
  });
});

describe('the kernels', () => {
  it('are there for every op, and for nothing else', () => {
    expect(Object.keys(wasmKernels).sort()).toEqual(Object.keys(registry).sort());
  });

  it('do not compile while one is missing', () => {
    const { exp: _missing, ...rest } = wasmKernels;
    // @ts-expect-error: exp is missing
    const table: WasmKernelTable = rest;
    expect(table).not.toHaveProperty('exp');
  });

  it('can be made to import an ordinary memory only if they import one at all', () => {
    expect(() => unshared(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))).toThrow(
      'expected a module whose first import',
    );
  });
});
