/** A device that goes away in the middle of work. */
import { describe, expect, it } from 'vitest';
import { webGpuBackend } from '../../../backends/webgpu/runtime.ts';
import type { DeviceHandle } from '../../../backends/webgpu/runtime.ts';
import type { WebGpuBackend } from '../../../backends/webgpu/webgpu-backend.ts';
import { setBackend } from '../../../core/backend.ts';
import { DeviceLostError } from '../../../core/errors.ts';
import { scope } from '../../../core/scope.ts';
import { memory } from '../../../core/storage.ts';
import { full } from '../../../create/create.ts';
import { add } from '../../../ops/elementwise/binary.op.ts';
import { matmul } from '../../../ops/matmul/matmul.op.ts';
import { on } from '../../run-case.ts';
import { trainSmallGnn } from '../small-gnn.ts';
import { withBackend } from './open.ts';
import type { WebGpuOpener } from './open.ts';

async function openBoth(
  opener: WebGpuOpener,
): Promise<{ readonly device: DeviceHandle; readonly backend: WebGpuBackend }> {
  const { device, adapter } = await opener.openDevice();
  return { device, backend: webGpuBackend(device, { adapter }) };
}

/** How a promise ended, without a rejection going unhandled. */
const outcome = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'resolved',
    (reason: unknown) => reason,
  );

export function describeDeviceLoss(opener: WebGpuOpener): void {
  // Each device compiles its kernels anew, which takes a software adapter some seconds.
  describe('device loss', { timeout: 120_000 }, () => {
    it('rejects every pending read and every later call, and frees what scopes own', async () => {
      const { device, backend } = await openBoth(opener);
      const before = memory();
      const previous = setBackend(backend);
      try {
        await scope(async () => {
          let x = full([256, 256], 0.01);
          for (let i = 0; i < 20; i++) x = matmul(x, x);
          const reads = [x.data(), x.data(), add(x, 1).data()].map(outcome);
          const waits = outcome(backend.synchronise());
          device.destroy();
          for (const end of await Promise.all([...reads, waits])) expect(end).toBeInstanceOf(DeviceLostError);
          expect(() => add(x, 1)).toThrow(DeviceLostError);
          expect(() => full([3], 1)).toThrow(DeviceLostError);
          expect(await outcome(x.data())).toBeInstanceOf(DeviceLostError);
          expect(await outcome(backend.synchronise())).toBeInstanceOf(DeviceLostError);
          expect(await outcome(backend.warmUp(() => undefined))).toBeInstanceOf(DeviceLostError);
        });
      } finally {
        setBackend(previous);
      }
      expect(memory()).toEqual(before);
      await backend.close();
    });

    it('rejects reads that are pending when the backend is closed; closing twice is harmless', async () => {
      const backend = await opener.openWebGpu();
      await on(backend, async () => {
        const end = outcome(add(full([1000], 1), 1).data());
        await Promise.all([backend.close(), backend.close()]);
        expect(await end).toBeInstanceOf(DeviceLostError);
      });
    });

    it('resumes on a new device from the values that were kept, bit for bit', async () => {
      // On one device, since a software adapter takes seconds to compile the kernels for another.
      const { device, backend } = await openBoth(opener);
      const unbroken = await on(backend, () => trainSmallGnn(1, 7));
      const half = await on(backend, () => trainSmallGnn(1, 4));
      const lost = outcome(on(backend, () => trainSmallGnn(4, 7, half.state)));
      device.destroy();
      expect(await lost).toBeInstanceOf(DeviceLostError);
      await backend.close();
      const rest = await withBackend(opener, {}, (fresh) => on(fresh, () => trainSmallGnn(4, 7, half.state)));
      expect([...half.losses, ...rest.losses]).toEqual(unbroken.losses);
      expect(rest.state).toEqual(unbroken.state);
    });
  });
}
