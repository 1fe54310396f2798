/** The least that Dawn must manage. JavaScript, so that a test can also start it as a process of its own. */
import { readFileSync } from 'node:fs';
import { create } from 'webgpu';

// Kept for as long as the process lives: what it made must not outlive it.
const gpu = create([]);

const code = `
  @group(0) @binding(0) var<storage, read_write> values: array<f32>;
  @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) { values[id.x] *= 2; }`;
// Constants of the API that only browsers have as globals.
const usage = { mapRead: 0x1, copySource: 0x4, copyTarget: 0x8, storage: 0x80 };
const forReading = 0x1;

/** Doubles 1, 2, 3, 4 on the first adapter there is, and says on which and with which Vulkan loader. */
export async function doubleOnDawn() {
  const adapter = await gpu.requestAdapter();
  if (adapter === null) throw new Error('doubleOnDawn: expected an adapter, got none');
  const device = await adapter.requestDevice();
  const module = device.createShaderModule({ code });
  const pipeline = await device.createComputePipelineAsync({ layout: 'auto', compute: { module } });

  const values = device.createBuffer({
    size: 16,
    usage: usage.storage | usage.copySource | usage.copyTarget,
  });
  const copy = device.createBuffer({ size: 16, usage: usage.copyTarget | usage.mapRead });
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

  await copy.mapAsync(forReading);
  const doubled = Array.from(new Float32Array(copy.getMappedRange()));
  device.destroy();
  const loader = /\S*\/libvulkan\.so\S*/.exec(readFileSync('/proc/self/maps', 'utf8'))?.[0];
  return { architecture: adapter.info.architecture, doubled, loader };
}
