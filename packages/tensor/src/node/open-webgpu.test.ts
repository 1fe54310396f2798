import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memory } from '../core/storage.ts';
import { add } from '../ops/elementwise/binary.op.ts';
import { on } from '../testing/run-case.ts';
import { full } from '../create/create.ts';
import { openDevice, openWebGpu } from './index.ts';

describe('openDevice', () => {
  it('names the adapter it found', async () => {
    const { device, adapter } = await openDevice();
    expect(adapter.name).toMatch(/\w/);
    device.destroy();
  });

  it('finds a software adapter with nothing but npm', async () => {
    const { device, adapter } = await openDevice({ adapter: 'software' });
    expect(adapter.isSoftware).toBe(true);
    device.destroy();
  });

  it('rejects unknown options, adapters and limits', async () => {
    await expect(openWebGpu({ adaptor: 'auto' } as object)).rejects.toThrow(
      "openDevice: expected options among adapter, powerPreference, limits, got 'adaptor'",
    );
    await expect(openWebGpu({ adapter: 'gpu' as 'auto' })).rejects.toThrow(
      "openDevice: expected adapter among auto, hardware, software, got 'gpu'",
    );
    await expect(openWebGpu({ limits: { maxFun: 1 } as object })).rejects.toThrow(
      /expected options among .*, got 'maxFun'/,
    );
    await expect(openWebGpu({ limits: { maxMemory: 0.5 } })).rejects.toThrow(
      'maxMemory must be a whole number > 0, got 0.5',
    );
  });
});

describe('opening and closing', () => {
  it('100 times leaks nothing and does not crash', { timeout: 120_000 }, async () => {
    const before = memory();
    const openFiles = (): number => readdirSync('/proc/self/fd').length;
    const once = async (): Promise<void> => {
      const backend = await openWebGpu();
      await on(backend, async () => {
        expect(await add(full([1000], 1), 1).data()).toEqual(new Float32Array(1000).fill(2));
      });
      await backend.close();
    };
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const measured = async (rounds: number): Promise<{ resident: number; arrays: number; files: number }> => {
      for (let round = 0; round < rounds; round++) await once();
      collect();
      await new Promise((resolve) => setTimeout(resolve, 10));
      collect();
      const { rss: resident, arrayBuffers: arrays } = process.memoryUsage();
      return { resident, arrays, files: openFiles() };
    };
    // The first rounds load libraries and fill allocators.
    const settled = await measured(40);
    const later = await measured(60);
    expect(memory()).toEqual(before);
    expect(later.files).toBeLessThanOrEqual(settled.files + 2);
    // A runtime that stays behind keeps 128 KB of parameters in an ArrayBuffer, a device some megabytes.
    expect(later.arrays - settled.arrays).toBeLessThan(2 ** 20);
    expect(later.resident - settled.resident).toBeLessThan(32 * 2 ** 20);
  });
});

describe('a closed device', () => {
  it('is collected soon, without being asked for', { timeout: 120_000 }, async () => {
    const rounds = 40;
    let collected = 0;
    const registry = new FinalizationRegistry(() => (collected += 1));
    for (let round = 0; round < rounds; round++) {
      const { device } = await openDevice();
      registry.register(device, undefined);
      device.destroy();
      await device.lost;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(rounds - collected).toBeLessThanOrEqual(15);
  });

  it('leaves nothing behind in its backend', async () => {
    const backend = await openWebGpu();
    await on(backend, async () => {
      await add(full([1000], 1), 1).data();
    });
    expect(backend.counters()).toMatchObject({ pipelines: 2, bindGroups: 3 });
    await backend.close();
    expect(backend.counters()).toMatchObject({ pipelines: 0, bindGroups: 0, buffers: 0, bytes: 0 });
  });
});

describe('a process that opens a device', { timeout: 60_000 }, () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'flowgrad-exit-'));
    const entry = join(folder, 'entry.js');
    const source = fileURLToPath(new URL('../', import.meta.url));
    writeFileSync(
      entry,
      `export * from ${JSON.stringify(`${source}index.ts`)}; export { openWebGpu } from ${JSON.stringify(`${source}node/index.ts`)};`,
    );
    await build({
      logLevel: 'silent',
      configFile: false,
      build: {
        ssr: entry,
        outDir: folder,
        target: 'node20',
        rollupOptions: { output: { entryFileNames: 'flowgrad.mjs' } },
      },
    });
    expect(existsSync(join(folder, 'flowgrad.mjs'))).toBe(true);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a script that has a backend and a tensor x of twos; what it said and how it ended. */
  const run = (
    body: string,
  ): {
    readonly status: number | null;
    readonly signal: string | null;
    readonly said: string;
    readonly complained: string;
  } => {
    writeFileSync(
      join(folder, 'script.mjs'),
      `import * as flowgrad from './flowgrad.mjs';
       const backend = await flowgrad.openWebGpu();
       flowgrad.setBackend(backend);
       const x = flowgrad.add(flowgrad.full([1000], 1), 1);
       ${body}`,
    );
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'script.mjs')], {
      encoding: 'utf8',
      // Nx asks for colours, which numbers on the console would then have.
      env: { ...process.env, FORCE_COLOR: '0' },
      timeout: 30_000,
    });
    return { status, signal, said: stdout, complained: stderr };
  };

  it.for([
    ['ends by itself after closing it', 'console.log((await x.data())[9]); await backend.close();', '2\n'],
    ['ends by itself without closing it', 'console.log((await x.data())[9]);', '2\n'],
    [
      'ends by itself with work enqueued that nobody reads',
      'for (let i = 0; i < 50; i++) flowgrad.exp(x);',
      '',
    ],
    ['ends by itself with a read that nobody waits for', 'x.data();', ''],
  ] as const)('%s', ([, body, said]) => {
    expect(run(body)).toEqual({ status: 0, signal: null, said, complained: '' });
  });

  it('keeps the exit code that it set', () => {
    expect(run('await x.data(); process.exitCode = 7;')).toMatchObject({ status: 7, complained: '' });
    // Work is under way when the process ends: without waiting for it, one in ten crashed.
    for (let time = 0; time < 10; time++) {
      expect(run('x.data(); process.exit(9);')).toMatchObject({ status: 9, signal: null, complained: '' });
    }
  });

  it('fails with code 1 when it throws', () => {
    const { status, complained } = run("await x.data(); throw new Error('on purpose');");
    expect(status).toBe(1);
    expect(complained).toContain('on purpose');
  });

  it('survives the garbage collector between opening and compiling', () => {
    const { status, said } = run(`
      const { setFlagsFromString } = await import('node:v8');
      setFlagsFromString('--expose-gc');
      const collect = (await import('node:vm')).runInNewContext('gc');
      for (let round = 0; round < 20; round++) {
        collect();
        await backend.warmUp(() => flowgrad.matmul(flowgrad.zeros([round + 1, 3]), flowgrad.zeros([3, 4])));
      }
      console.log((await x.data()).length);
    `);
    expect({ status, said }).toEqual({ status: 0, said: '1000\n' });
  });
});
