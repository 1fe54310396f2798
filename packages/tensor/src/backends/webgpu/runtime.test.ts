import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setBackend } from '../../core/backend.ts';
import type { Backend } from '../../core/backend.ts';
import { scope } from '../../core/scope.ts';
import { full, tensor, zeros } from '../../create/create.ts';
import { openWebGpu } from '../../node/index.ts';
import { parameter } from '../../ops/grad/grad.ts';
import { assign } from '../../core/assign.ts';
import { add, mul } from '../../ops/elementwise/binary.op.ts';
import { exp } from '../../ops/elementwise/unary.op.ts';
import { matmul } from '../../ops/matmul/matmul.op.ts';
import { permute } from '../../ops/shape/permute.op.ts';
import { trainSmallGnn } from '../../testing/vitest/small-gnn.ts';
import { sizeClass } from './buffer-pool.ts';
import type { WebGpuBackend } from './webgpu-backend.ts';

let backend: WebGpuBackend;
let previous: Backend | undefined;
beforeAll(async () => {
  backend = await openWebGpu();
  previous = setBackend(backend);
});
afterAll(async () => {
  setBackend(previous);
  await backend.close();
});

/** What `work` added to the counters. */
async function counted(work: () => unknown): Promise<ReturnType<WebGpuBackend['counters']>> {
  const before = backend.counters();
  await work();
  const after = backend.counters();
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, value - before[name as keyof typeof before]]),
  ) as unknown as typeof after;
}

describe('size classes', () => {
  it('waste at most a quarter, and are multiples of 16 bytes', () => {
    for (const bytes of [0, 1, 256, 257, 300, 1000, 1024, 1025, 123_456, 2 ** 30 + 4]) {
      const size = sizeClass(bytes);
      expect(size).toBeGreaterThanOrEqual(bytes);
      expect(size % 16).toBe(0);
      if (bytes > 256) expect(size).toBeLessThanOrEqual(bytes * 1.25);
    }
  });
});

describe('the stream of commands', () => {
  it('submits nothing before values are read, and then everything at once', async () => {
    await scope(async () => {
      let x = full([10], 1);
      const building = await counted(() => {
        for (let i = 0; i < 100; i++) x = mul(x, 1);
      });
      expect(building).toMatchObject({ dispatches: 200, submissions: 0 });
      expect((await counted(() => x.data())).submissions).toBe(1);
    });
  });

  it('submits by itself when a batch is full', async () => {
    await scope(async () => {
      const x = zeros([10]);
      const { submissions, dispatches } = await counted(() => {
        for (let i = 0; i < 1000; i++) exp(x).dispose();
      });
      expect(dispatches).toBe(1000);
      expect(submissions).toBe(3);
      expect(await exp(x).data()).toEqual(new Float32Array(10).fill(1));
    });
  });

  it('reads values as they were at the time of the call', async () => {
    await scope(async () => {
      const x = parameter(full([3], 1));
      const before = x.data();
      assign(x, full([3], 2));
      const after = x.data();
      x.dispose();
      zeros([3]); // Takes the freed memory over.
      expect(await before).toEqual(Float32Array.of(1, 1, 1));
      expect(await after).toEqual(Float32Array.of(2, 2, 2));
    });
  });

  it('copies after earlier commands and before later ones, in the same batch', async () => {
    await scope(async () => {
      const x = parameter(full([3], 1));
      const { submissions } = await counted(async () => {
        const before = add(x, 0.5);
        assign(x, add(before, before));
        assign(x, x);
        const after = add(x, 0.5);
        const values = await Promise.all([before, x, after].map((y) => y.data()));
        expect(values.map(([value]) => value)).toEqual([1.5, 3, 3.5]);
      });
      // One for every read.
      expect(submissions).toBe(3);
    });
  });

  it('uploads after commands that still use the memory, and before later ones', async () => {
    await scope(async () => {
      const results = Array.from({ length: 50 }, (_, i) => {
        const x = tensor(new Float32Array(64).fill(i)); // The memory that the last x freed.
        const y = add(x, 0.5);
        x.dispose();
        return y;
      });
      const values = await Promise.all(results.map((y) => y.data()));
      expect(values.map((data) => data[63])).toEqual(results.map((_, i) => i + 0.5));
    });
  });
});

describe('caches', { timeout: 60_000 }, () => {
  it('a repeated training step makes no pipeline, no bind group and no buffer, and reads nothing back', async () => {
    await trainSmallGnn(1, 3);
    const once = await counted(() => trainSmallGnn(1, 3));
    expect(once).toMatchObject({ pipelines: 0, buffers: 0, bytes: 0 });
    const { losses, state } = await trainSmallGnn(1, 3);
    expect(once.reads).toBe(losses.length + 3 * Object.keys(state).length);
    const again = await counted(() => trainSmallGnn(1, 3));
    expect(again).toMatchObject({ pipelines: 0, bindGroups: 0, buffers: 0 });
    expect(again.dispatches).toBe(once.dispatches);
  });
});

describe('warmUp', () => {
  it('compiles what a step needs and counts its dispatches, without running it', async () => {
    const fresh = await openWebGpu();
    const outer = setBackend(fresh);
    try {
      await scope(async () => {
        const x = parameter(full([5, 7], 2));
        const step = (): void => {
          assign(x, permute(matmul(permute(x, [1, 0]), matmul(x, zeros([7, 5]))), [1, 0]));
        };
        const before = fresh.counters();
        const { dispatches } = await fresh.warmUp(step);
        const warm = fresh.counters();
        expect(warm.pipelines).toBeGreaterThan(before.pipelines);
        expect(warm.dispatches).toBe(before.dispatches);
        expect(await x.data()).toEqual(new Float32Array(35).fill(2));
        step();
        expect(fresh.counters().pipelines).toBe(warm.pipelines);
        expect(dispatches).toBeGreaterThan(3);
        expect(fresh.counters().dispatches - warm.dispatches).toBe(dispatches);
        expect(await x.data()).toEqual(new Float32Array(35));
      });
    } finally {
      setBackend(outer);
      await fresh.close();
    }
  });
});
