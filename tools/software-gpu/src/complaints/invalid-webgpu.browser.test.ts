import { it } from 'vitest';

it('makes an invalid call, and would pass', async () => {
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter?.requestDevice();
  device?.createBuffer({ size: 16, usage: 0xffff });
  await device?.queue.onSubmittedWorkDone();
});
