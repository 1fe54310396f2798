/** What only a process of its own can show: that it ends by itself, with the right code, and idles without work. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder: string;

/** Bundled and minified, as an application would ship it: the workers' program must survive that. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flowgrad-'));
  const entry = join(folder, 'entry.js');
  const source = join(import.meta.dirname, '..');
  await writeFile(
    entry,
    `export * from '${source}/index.ts';\nexport { openWasm } from '${source}/node/index.ts';\n`,
  );
  await build({
    configFile: false,
    logLevel: 'error',
    oxc: { target: 'es2022' },
    build: {
      ssr: entry,
      outDir: folder,
      emptyOutDir: false,
      minify: true,
      rollupOptions: { output: { entryFileNames: 'bundle.js' } },
    },
  });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const prologue = `
  import { exp, full, openWasm, setBackend, sum } from './bundle.js';
  const backend = await openWasm({ threads: 3 });
  setBackend(backend);
  const value = await sum(exp(full([1000, 1000], 0))).item();
`;

async function runScript(script: string): Promise<{ code: number | string; stdout: string; stderr: string }> {
  const file = join(folder, 'script.js');
  await writeFile(file, prologue + script);
  return new Promise((resolve) => {
    execFile(process.execPath, [file], { timeout: 30_000 }, (error, stdout, stderr) => {
      resolve({ code: error ? (error.code ?? 'killed') : 0, stdout, stderr });
    });
  });
}

test('a process with an open pool ends by itself', async () => {
  expect(await runScript('console.log(String(value));')).toEqual({
    code: 0,
    stdout: '1000000\n',
    stderr: '',
  });
});

test('a process that closes its pool ends by itself', async () => {
  expect(await runScript('await backend.close(); console.log(String(value));')).toMatchObject({
    code: 0,
    stdout: '1000000\n',
  });
});

test('a process that fails with an open pool ends with the code of its failure', async () => {
  expect(await runScript('process.exitCode = 3;')).toMatchObject({ code: 3 });
  const { code, stderr } = await runScript("throw new Error('on purpose');");
  expect(code).toBe(1);
  expect(stderr).toContain('on purpose');
});

test('an idle pool uses no processor time', async () => {
  const { stdout } = await runScript(`
    await new Promise((resolve) => setTimeout(resolve, 200));
    const before = process.cpuUsage();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const { user, system } = process.cpuUsage(before);
    console.log(String((user + system) / 1000));
  `);
  expect(Number(stdout)).toBeLessThan(50);
});
