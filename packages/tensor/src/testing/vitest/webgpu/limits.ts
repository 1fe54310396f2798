/** Limits, each lowered: the right result or a typed error, never zeros. */
import { describe, expect, it } from 'vitest';
import type { WebGpuBackend } from '../../../backends/webgpu/webgpu-backend.ts';
import type { TensorErrorCode } from '../../../core/errors.ts';
import { TensorError } from '../../../core/errors.ts';
import { full, tensor, zeros } from '../../../create/create.ts';
import { add, mul } from '../../../ops/elementwise/binary.op.ts';
import { opCases } from '../../../ops/generated/all.cases.ts';
import { concat } from '../../../ops/shape/concat.op.ts';
import { difference } from '../../compare.ts';
import { float64, forward, on } from '../../run-case.ts';
import type { OpCases } from '../../op-case.ts';
import { withBackend } from './open.ts';
import type { WebGpuOpener } from './open.ts';

/** Expects a TensorError of this code whose message has all the given parts. */
async function expectError(
  work: () => Promise<unknown>,
  code: TensorErrorCode,
  ...parts: readonly string[]
): Promise<void> {
  const error: unknown = await work().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(TensorError);
  const { code: actual, message } = error as TensorError;
  expect(actual).toBe(code);
  for (const part of parts) expect(message).toContain(part);
}

const defaultBindingSize = 128 * 2 ** 20;

export function describeLimits(opener: WebGpuOpener): void {
  const under = (
    limits: Partial<WebGpuBackend['limits']>,
    test: (backend: WebGpuBackend) => Promise<void>,
  ): (() => Promise<void>) => {
    return () => withBackend(opener, { limits }, test);
  };

  describe('limits', { timeout: 120_000 }, () => {
    it(
      'every kernel counts its workgroups in two dimensions',
      under({ maxComputeWorkgroupsPerDimension: 40 }, async (backend) => {
        for (const [name, { cases, tolerance }] of Object.entries<OpCases>(opCases)) {
          const test = cases.at(-1)!;
          const expected = await forward(float64, test);
          const actual = await forward(backend, test);
          const problems = actual.map((data, k) => difference(data, expected[k], tolerance));
          expect(problems, `${name} on ${test.name}`).toEqual(expected.map(() => undefined));
        }
      }),
    );

    it(
      'more than 65,535 workgroups give the right result',
      under({}, async (backend) => {
        const { maxComputeWorkgroupsPerDimension: limit } = backend.limits;
        // 256 values in a workgroup of `full` and `add`; the last workgroup is not full.
        const size = limit * 256 + 12345;
        await on(backend, async () => {
          const data = await add(full([size], 1), 2).data();
          expect(data.length).toBe(size);
          expect(data.findIndex((value) => value !== 3)).toBe(-1);
        });
      }),
    );

    it(
      'more workgroups than two dimensions hold are an error',
      under({ maxComputeWorkgroupsPerDimension: 2 }, async (backend) => {
        await on(backend, () =>
          expectError(
            async () => zeros([5 * 256]),
            'limit',
            'fill',
            '2²',
            'maxComputeWorkgroupsPerDimension',
            'got 5',
          ),
        );
      }),
    );

    it(
      'a binding over the limit is an error that names op, size and limit',
      under({ maxStorageBufferBindingSize: defaultBindingSize }, async (backend) => {
        expect(backend.limits.maxStorageBufferBindingSize).toBe(defaultBindingSize);
        const length = defaultBindingSize / 4 + 1;
        await on(backend, () =>
          expectError(
            async () => zeros([length]),
            'limit',
            'fill',
            `${length * 4}`,
            `${defaultBindingSize} bytes`,
            'maxStorageBufferBindingSize',
          ),
        );
      }),
    );

    it(
      'a tensor just inside the binding limit works, whatever its size class',
      under({ maxStorageBufferBindingSize: 1000 * 16 }, async (backend) => {
        await on(backend, async () => {
          const x = tensor(Float32Array.from({ length: 4000 }, (_, i) => i));
          expect((await mul(x, 2).data())[3999]).toBe(7998);
          await expectError(async () => mul(zeros([2000, 2]), zeros([4001])), 'limit', 'fill', '16004');
        });
      }),
    );

    it(
      'a tensor over maxBufferSize is an error that names op, size and limit',
      under({ maxBufferSize: 4096 }, async (backend) => {
        await on(backend, async () => {
          const a = zeros([1024]);
          await expectError(async () => concat([a, a]), 'limit', 'concat', '8192', '4096', 'maxBufferSize');
          expect(await add(a, 1).data()).toEqual(new Float32Array(1024).fill(1));
        });
      }),
    );

    it(
      'more storage buffers than a stage allows are an error, and concat needs only two at a time',
      under({ maxStorageBuffersPerShaderStage: 4 }, async (backend) => {
        const [test] = opCases.edgeDot.cases;
        await expectError(
          () => forward(backend, test),
          'limit',
          'edgeDot',
          'at most 4 buffers',
          'maxStorageBuffersPerShaderStage',
          'got 8',
        );
        const parts = opCases.concat.cases.find(({ name }) => name === 'twelve parts')!;
        expect(await forward(backend, parts)).toEqual(
          (await forward(float64, parts)).map((data) => Float32Array.from(data)),
        );
      }),
    );

    it(
      'memory exhausted is an error that names op, size and limit; freed memory is used again',
      under({ maxMemory: 96 * 1024 }, async (backend) => {
        await on(backend, async () => {
          const kept = zeros([8 * 1024]);
          await expectError(
            async () => add(kept, full([17 * 1024], 1)),
            'memory',
            'fill',
            '98304',
            'maxMemory',
          );
          const other = zeros([7 * 1024]);
          other.dispose();
          // Another size class: what waits for reuse has to go first.
          expect(await add(zeros([6 * 1024]), 1).data()).toEqual(new Float32Array(6 * 1024).fill(1));
          expect(await kept.data()).toEqual(new Float32Array(8 * 1024));
        });
      }),
    );
  });
}
