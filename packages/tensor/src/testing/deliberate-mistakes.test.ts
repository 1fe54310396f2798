/** Mistakes that kernel authors make, put into kernels on purpose: the loops must find each, and say it in words. */
import { afterEach, describe, expect, it } from 'vitest';
import { wasmBackend } from '../backends/wasm/open.ts';
import { shaders } from '../backends/webgpu/generated/shaders.ts';
import type { Backend } from '../core/backend.ts';
import { full } from '../create/create.ts';
import { openWebGpu } from '../node/index.ts';
import { add } from '../ops/elementwise/binary.op.ts';
import { square } from '../ops/elementwise/unary.op.ts';
import { wasmKernels } from '../ops/generated/wasm-kernels.ts';
import { registry } from '../ops/registry.ts';
import { checkGradient } from './check-gradient.ts';
import { missingBarriers } from './missing-barriers.ts';
import { random, rounding, values } from './op-case.ts';
import { backendChecks, coverageChecks } from './op-checks.ts';
import type { OpTests } from './op-checks.ts';

const squares: OpTests = {
  op: registry.square,
  tolerance: rounding,
  cases: [{ name: 'twelve values', inputs: [random([12])], run: ([x]) => square(x) }],
};

/** What the loop says of `square` on a backend. */
async function verdict(backend: Backend): Promise<string> {
  const [{ run }] = backendChecks({ square: squares }, () => backend);
  return run().then(
    () => 'nothing',
    (error: unknown) => (error as Error).message,
  );
}

const restore: (() => void)[] = [];
afterEach(() => {
  for (const undo of restore.splice(0)) undo();
});

function change<T extends object, K extends keyof T>(target: T, key: K, value: T[K]): void {
  const original = target[key];
  restore.push(() => (target[key] = original));
  target[key] = value;
}

/** The verdict with a line of unary.wgsl replaced. */
async function withWgsl(line: string, by: string): Promise<string> {
  const shader = shaders.unary as { code: string };
  expect(shader.code.split(line)).toHaveLength(2);
  change(shader, 'code', shader.code.replace(line, by));
  const backend = await openWebGpu();
  try {
    return await verdict(backend);
  } finally {
    await backend.close();
  }
}

const store = 'y[i] = vec4<f32>(apply(v.x), apply(v.y), apply(v.z), apply(v.w));';

describe('a mistake in a WebGPU kernel', () => {
  it('none, so that the others are what is found', async () => {
    expect(await withWgsl(store, `${store} // as it is`)).toBe('nothing');
  });

  it('part of an output unwritten', async () => {
    expect(await withWgsl(store, `if (i > 0u) { ${store} }`)).toBe(
      'square: y has 4 of 12 values that its kernel never wrote, the first at 0',
    );
  });

  it('a write past the end, where the buffer fits exactly', async () => {
    expect(await withWgsl(store, `${store} y[params.count] = v;`)).toBe(
      'square: y has 12 values, and its kernel wrote past them: 4 more, the first at 12',
    );
  });

  it('values that depend on what the memory held before: other bits in a second run', async () => {
    expect(await withWgsl(store, `let old = 1e-20 * (1e-20 * y[i]); ${store} y[i] += old;`)).toMatch(
      /^output 0 at \d+ has other bits in a second run: /,
    );
  });

  it('a missing barrier, even where no run shows it', () => {
    const { code } = shaders.softmax;
    expect(missingBarriers(code.replace('workgroupBarrier();\npartial', 'partial'))[0]).toMatch(
      /^line \d+: expected a workgroupBarrier\(\) before \w+\[.*\] is written, got none since line \d+ read \w+\[.*\]$/,
    );
  });
});

describe('a mistake in a wasm kernel', () => {
  const kernels = wasmKernels as { square: typeof wasmKernels.square };
  const { square: right } = wasmKernels;

  it('an input overwritten', async () => {
    change(kernels, 'square', ({ x }, { y }, device, attrs) => {
      right({ x }, { y }, device, attrs);
      device.ints(x.buffer.pointer, 12)[3] = 0;
    });
    expect(await verdict(await wasmBackend())).toMatch(
      /^square: x was overwritten at 3: -?0\.\d+ became 0 \(say so in mutates, or write to an output\)$/,
    );
  });

  it('part of an output unwritten', async () => {
    change(kernels, 'square', () => undefined);
    expect(await verdict(await wasmBackend())).toBe(
      'square: y has 12 of 12 values that its kernel never wrote, the first at 0',
    );
  });

  it('a write past the end', async () => {
    change(kernels, 'square', ({ x }, { y }, device, attrs) => {
      right({ x }, { y }, device, attrs);
      device.ints(y.buffer.pointer, 32)[20] = 0;
    });
    expect(await verdict(await wasmBackend())).toBe(
      'square: y has 12 values, and its kernel wrote past them: 1 more, the first at 20',
    );
  });
});

describe('a mistake in cases', () => {
  it('no case with a gradient, though the op has one', async () => {
    const cases = squares.cases.map((test) => ({ ...test, noGradient: 'forgotten' }));
    const checks = coverageChecks({ square: { ...squares, cases } });
    await expect(Promise.all(checks.map(({ run }) => run()))).rejects.toThrow(
      'expected a case whose gradient is checked, since the op has a backward, got none',
    );
  });

  it('a −∞ where differences are taken', async () => {
    const run = checkGradient(([x]) => add(x, full([2], -Infinity)), [values([1, 2])]);
    await expect(run).rejects.toThrow(
      'central differences need finite values, got -Infinity with input 0 at 0 moved by 0.00001 (give the case other values, or noGradient and the reason)',
    );
  });

  it('a wrong gradient', async () => {
    const [op, other]: { backward?: unknown }[] = [registry.square, registry.neg];
    change(op, 'backward', other.backward);
    await expect(checkGradient(([x]) => square(x), [values([3, 4])])).rejects.toThrow(
      /^the gradient of input 0 at 0 is -0\.84\d+, expected 5\.04\d+ as by central differences \(relative error 1\.2, at most 0\.000001\)$/,
    );
  });
});
