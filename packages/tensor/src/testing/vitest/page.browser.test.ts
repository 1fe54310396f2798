/** What the other browser tests rely on: that the page is the one they think they run in. */
import { expect, inject, it } from 'vitest';

it('is cross-origin isolated exactly when it says so', () => {
  expect(crossOriginIsolated).toBe(inject('isolated'));
  expect(typeof SharedArrayBuffer !== 'undefined').toBe(inject('isolated'));
});

if (inject('isolated')) {
  it('shares memory with a worker', async () => {
    const script = 'onmessage = ({ data }) => { data[0] = 42; postMessage("done"); };';
    const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    const worker = new Worker(url);
    const shared = new Int32Array(new SharedArrayBuffer(4));
    await new Promise((done) => {
      worker.onmessage = done;
      worker.postMessage(shared);
    });
    expect(shared[0]).toBe(42);
    worker.terminate();
    URL.revokeObjectURL(url);
  });
}

it('has an adapter and a device that compute', async () => {
  const adapter = await navigator.gpu.requestAdapter();
  if (adapter === null) throw new Error('page: expected an adapter, got none');
  expect(adapter.info.architecture).toBe('swiftshader');
  const device = await adapter.requestDevice();

  const code = `
    @group(0) @binding(0) var<storage, read_write> values: array<f32>;
    @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) { values[id.x] *= 2; }`;
  const module = device.createShaderModule({ code });
  const pipeline = await device.createComputePipelineAsync({ layout: 'auto', compute: { module } });
  const { STORAGE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
  const values = device.createBuffer({ size: 16, usage: STORAGE | COPY_SRC | COPY_DST });
  const copy = device.createBuffer({ size: 16, usage: COPY_DST | MAP_READ });
  device.queue.writeBuffer(values, 0, new Float32Array([1, 2, 3, 4]));
  const bindings = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [{ binding: 0, resource: { buffer: values } }],
  });

  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, bindings);
  pass.dispatchWorkgroups(1);
  pass.end();
  encoder.copyBufferToBuffer(values, 0, copy, 0, 16);
  device.queue.submit([encoder.finish()]);

  await copy.mapAsync(GPUMapMode.READ);
  expect(Array.from(new Float32Array(copy.getMappedRange()))).toEqual([2, 4, 6, 8]);
  device.destroy();
});
