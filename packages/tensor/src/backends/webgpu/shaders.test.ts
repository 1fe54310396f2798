/// <reference types="@webgpu/types" />
/** Walks every .wgsl file: the device takes it, its contract holds, an op uses it. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Shader } from '../../core/shader.ts';
import { openDevice } from '../../node/index.ts';
import { writtenAt } from './compile-messages.ts';
import { shaders } from './generated/shaders.ts';
import { shader as ownShader } from './own-shader.ts';

const source = fileURLToPath(new URL('../../', import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
const read = (path: string): string => readFileSync(`${source}/${path}`, 'utf8');
const kernels = files.filter((path) => path.endsWith('.webgpu.ts')).map(read);

let device: GPUDevice;
beforeAll(async () => {
  device = (await openDevice()).device as GPUDevice;
});
afterAll(() => {
  device.destroy();
});

it('every .wgsl file with an entry point is a kernel, and the others are part of one', () => {
  const written = files.filter((path) => path.endsWith('.wgsl')).sort();
  const embedded = Object.values<Shader<string, never>>(shaders);
  expect(embedded.map(({ path }) => path).sort()).toEqual(
    written.filter((path) => read(path).includes('@compute')),
  );
  const joined = embedded.flatMap(({ pieces = [] }) => pieces.map(({ file }) => file));
  expect([...new Set(joined)].sort()).toEqual(written);
});

describe.for(Object.entries<Shader<string, never>>(shaders))('%s', ([key, shader]) => {
  it('compiles without a message, with the bindings that host code gives it', async () => {
    device.pushErrorScope('validation');
    const module = device.createShaderModule({ code: shader.code });
    const { messages } = await module.getCompilationInfo();
    expect(messages.map(({ lineNum, message }) => `${writtenAt(shader, lineNum)}: ${message}`)).toEqual([]);
    const layout = device.createBindGroupLayout({
      entries: [
        ...shader.buffers.map(({ access }, binding) => ({
          binding,
          visibility: 4,
          buffer: { type: access === 'read' ? ('read-only-storage' as const) : ('storage' as const) },
        })),
        {
          binding: shader.buffers.length,
          visibility: 4,
          buffer: { type: 'uniform' as const, minBindingSize: shader.paramsSize },
        },
      ],
    });
    device.createComputePipeline({
      layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
      compute: { module, entryPoint: 'main' },
    });
    expect((await device.popErrorScope())?.message).toBeUndefined();
  });

  it('takes the buffers, params and constants that its text says', () => {
    const { buffers, params, paramsSize, constants } = ownShader(shader.name, shader.code);
    expect(shader).toMatchObject({ buffers, params, paramsSize, constants });
  });

  it('says what it computes, what an invocation does and why it is deterministic', () => {
    const text = read(shader.path);
    const header = text.slice(0, text.indexOf('\n\nimport '));
    expect(header).toMatch(/^\/\/ .*(=|←)/);
    expect(header).toMatch(/invocation/);
    expect(header).toMatch(/Deterministic: /);
  });

  it('knows where each of its lines was written', () => {
    shader.code.split('\n').forEach((line, i) => {
      const [path, number] = writtenAt(shader, i + 1).split(':');
      const [word] = line.split(' ');
      if (word) expect(read(path).split('\n')[Number(number) - 1], `${path}:${number}`).toContain(word);
    });
  });

  it('is used by the kernel of an op', () => {
    expect(kernels.some((code) => code.includes(`shaders.${key}`))).toBe(true);
  });
});
