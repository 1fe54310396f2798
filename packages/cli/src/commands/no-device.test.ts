/** Commands on a machine without the device that they are told to use. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { TensorError } from '@flowgrad/tensor';
import { expect, test, vi } from 'vitest';
import { runCaptured, tinyWorld } from '../testing/run-captured.ts';
import { temporaryFolders } from '../testing/temporary-folder.ts';

function missing(): Promise<never> {
  return Promise.reject(new TensorError('openDevice', 'backend', 'expected a WebGPU adapter, got none'));
}

vi.mock(import('@flowgrad/tensor/node'), async (original) => ({
  ...(await original()),
  openBackend: missing,
  openDevice: missing,
}));

const emptyFolder = temporaryFolders();

test.for([
  ['train', '--group', '--model'],
  ['experiment', '--groups', '--models'],
])('%s leaves nothing behind where a device cannot be opened', async ([command, groups, models]) => {
  const root = await emptyFolder();
  const words = [command, groups, tinyWorld, models, 'GAT', '--device', 'webgpu'];
  expect(await runCaptured([...words, '--out', join(root, 'runs', 'one')])).toMatchObject({
    code: 1,
    stderr: 'flowgrad: openDevice: expected a WebGPU adapter, got none\n',
  });
  expect(await readdir(root)).toEqual([]);
});
