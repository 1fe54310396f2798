import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { softwareVulkan, softwareVulkanEnvironment, useSoftwareVulkan } from './software-vulkan.ts';

const result = async () => ({
  architecture: 'swiftshader',
  doubled: [2, 4, 6, 8],
  loader: join((await softwareVulkan()).loaderFolder, 'libvulkan.so.1'),
});

test('the manifest names a driver that is there', async () => {
  const { icd } = await softwareVulkan();
  const manifest = JSON.parse(await readFile(icd, 'utf8')) as { ICD: { library_path: string } };
  const driver = await readFile(join(dirname(icd), manifest.ICD.library_path));
  expect(driver.subarray(1, 4).toString()).toBe('ELF');
});

test('Dawn computes on SwiftShader in a process that is started with its variables, and the process ends well', async () => {
  const module = new URL('double-on-dawn.js', import.meta.url).href;
  const script = `import { doubleOnDawn } from '${module}'; console.log(JSON.stringify(await doubleOnDawn()));`;
  const env = { ...process.env, ...(await softwareVulkanEnvironment()) };
  // Rejects if the exit code is not 0.
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', script],
    { env },
  );
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual(await result());
});

test('Dawn computes on SwiftShader in a process that called useSoftwareVulkan', async () => {
  await useSoftwareVulkan();
  const { doubleOnDawn } = await import('./double-on-dawn.js');
  expect(await doubleOnDawn()).toEqual(await result());
});

test('a worker thread, which cannot set the variables of its process, is refused', async () => {
  vi.resetModules();
  vi.doMock('node:worker_threads', () => ({ isMainThread: false }));
  const inWorker = await import('./software-vulkan.ts');
  vi.doUnmock('node:worker_threads');
  await expect(inWorker.useSoftwareVulkan()).rejects.toThrow(
    /useSoftwareVulkan: expected the main thread, got a worker thread/,
  );
});
