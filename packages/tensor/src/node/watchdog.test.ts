/** What only a process of its own can show: that one which hangs is ended, and says in what. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flowgrad-'));
  const source = join(import.meta.dirname, '..');
  const entry = join(folder, 'entry.js');
  await writeFile(
    entry,
    [
      `export { openWatchdog } from '${source}/node/watchdog.ts';`,
      `export { backendChecks } from '${source}/testing/op-checks.ts';`,
      `export { runChecks } from '${source}/testing/check.ts';`,
      `export { registry } from '${source}/ops/registry.ts';`,
      `export { square } from '${source}/ops/elementwise/unary.op.ts';`,
      `export { wasmBackend } from '${source}/backends/wasm/open.ts';`,
      `export { wasmKernels } from '${source}/ops/generated/wasm-kernels.ts';`,
    ].join('\n'),
  );
  await build({
    configFile: false,
    logLevel: 'error',
    oxc: { target: 'es2022' },
    build: {
      ssr: entry,
      outDir: folder,
      emptyOutDir: false,
      rollupOptions: { output: { entryFileNames: 'bundle.js' } },
    },
  });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const checks = `
  import { backendChecks, openWatchdog, registry, runChecks, square, wasmBackend, wasmKernels } from './bundle.js';
  const { guard } = openWatchdog({ seconds: 2 });
  const data = new Float32Array([1, 2]);
  const run = ([x]) => square(x);
  const cases = [{ name: 'two values', inputs: [{ shape: [2], dtype: 'float32', data }], run }];
  const tests = { square: { op: registry.square, tolerance: 'exact', cases } };
  const backend = await wasmBackend();
  const square_ = wasmKernels.square;
`;

async function runScript(
  script: string,
): Promise<{ signal: string | undefined; stdout: string; stderr: string }> {
  const file = join(folder, 'script.js');
  await writeFile(file, checks + script);
  return new Promise((resolve) => {
    execFile(process.execPath, [file], { timeout: 50_000 }, (error, stdout, stderr) => {
      resolve({ signal: error?.signal ?? undefined, stdout, stderr });
    });
  });
}

const all = 'await runChecks(backendChecks(tests, () => backend).map(guard)); console.log("done");';

test('checks that end are let alone, and the process ends by itself', async () => {
  expect(await runScript(all)).toEqual({ signal: undefined, stdout: 'done\n', stderr: '' });
});

test('a loop over the bits of floats that never ends is named, and the process ended', async () => {
  const endless = `
    wasmKernels.square = (...call) => {
      square_(...call);
      for (let bits = 1; bits !== 0; ) bits = Math.fround(bits + 1e-9);
    };
  `;
  expect(await runScript(endless + all)).toEqual({
    signal: 'SIGKILL',
    stdout: '',
    stderr: 'square on two values: expected an end within 2 s, got none (a loop that never ends?)\n',
  });
});

test('so is work of a device that never comes back', async () => {
  const waiting = 'backend.read = () => new Promise(() => setInterval(() => {}, 1000));';
  expect(await runScript(waiting + all)).toMatchObject({
    signal: 'SIGKILL',
    stderr: 'square on two values: expected an end within 2 s, got none (a loop that never ends?)\n',
  });
});
