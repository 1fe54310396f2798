import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setBackend } from '../../core/backend.ts';
import type { Backend } from '../../core/backend.ts';
import { scope } from '../../core/scope.ts';
import { full } from '../../create/create.ts';
import { openDevice, openWebGpu } from '../../node/index.ts';
import { matmul } from '../../ops/matmul/matmul.op.ts';
import { tanh } from '../../ops/elementwise/unary.op.ts';
import { trainSmallGnn } from '../../testing/vitest/small-gnn.ts';
import type { Profile } from './profile.ts';
import { webGpuBackend } from './runtime.ts';
import type { DeviceHandle } from './runtime.ts';
import type { WebGpuBackend } from './webgpu-backend.ts';

/** A device that says it has no `timestamp-query`. */
function withoutTimestamps(device: DeviceHandle): DeviceHandle {
  Object.defineProperty(device, 'features', { value: new Set() });
  return device;
}

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

const step = (): void => {
  scope(() => {
    const x = full([200, 200], 0.5);
    tanh(matmul(matmul(x, x), x));
  });
};

const counts = [
  { kernel: 'matmul', dispatches: 2, bytes: 2 * 3 * 160_000, flops: 2 * 2 * 200 ** 3 },
  { kernel: 'unary', dispatches: 1, bytes: 2 * 160_000, flops: 40_000 },
  { kernel: 'fill', dispatches: 1, bytes: 160_000, flops: 0 },
];

describe('profile', { timeout: 60_000 }, () => {
  it('gives times, counts, bytes and FLOP of every kernel', async () => {
    const profile = await backend.profile(step);
    expect(profile.hasTimes).toBe(true);
    expect(profile.dispatches.map(({ op }) => op)).toEqual(['fill', 'matmul', 'matmul', 'tanh']);
    const kernels = profile.kernels();
    expect(kernels).toHaveLength(3);
    for (const expected of counts) {
      const found = kernels.find(({ kernel }) => kernel === expected.kernel);
      expect(found).toMatchObject(expected);
      expect(found!.duration).toBeGreaterThan(0);
    }
    // 2 · 16 MFLOP on one CPU take a while, and the order of dispatches is the order of times.
    const starts = profile.dispatches.map(({ start }) => start!);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
  });

  it('is readable as a table and as a Chrome trace', async () => {
    const profile = await backend.profile(step);
    expect(profile.toString()).toMatch(
      /^kernel +dispatches +MB +MFLOP +ms +GB\/s +GFLOP\/s\n(.*\n)*matmul +2 +0\.960 +32\.000 +\d/,
    );
    const { traceEvents } = JSON.parse(JSON.stringify(profile.toChromeTrace())) as ReturnType<
      Profile['toChromeTrace']
    >;
    expect(traceEvents).toHaveLength(4);
    expect(traceEvents[1]).toMatchObject({
      name: 'matmul',
      ph: 'X',
      args: { op: 'matmul', bytes: 480_000, flops: 16_000_000 },
    });
    for (const { ts, dur } of traceEvents) expect(ts >= 0 && dur >= 0).toBe(true);
  });

  it('covers steps of many batches, and changes no result', async () => {
    const plain = await trainSmallGnn(1, 8);
    let profiled: typeof plain | undefined;
    const profile = await backend.profile(async () => {
      profiled = await trainSmallGnn(1, 8);
    });
    expect(profiled).toEqual(plain);
    // A batch has 256 commands.
    expect(profile.dispatches.length).toBeGreaterThan(2 * 256);
    expect(profile.dispatches.every(({ duration }) => duration !== undefined)).toBe(true);
  });

  it('without timestamp-query gives counts and bytes', async () => {
    const { device, adapter } = await openDevice();
    const plain = webGpuBackend(withoutTimestamps(device), { adapter });
    const outer = setBackend(plain);
    try {
      const profile = await plain.profile(step);
      expect(profile.hasTimes).toBe(false);
      for (const expected of counts) expect(profile.kernels()).toContainEqual(expected);
      expect(profile.toString()).toMatch(/^kernel +dispatches +MB +MFLOP\n/);
      expect(profile.toChromeTrace().traceEvents.map(({ ts }) => ts)).toEqual([0, 1, 2, 3]);
    } finally {
      setBackend(outer);
      await plain.close();
    }
  });
});
