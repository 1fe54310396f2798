/// <reference types="@webgpu/types" />
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Shader } from '../../core/shader.ts';
import { openDevice } from '../../node/index.ts';
import { Failures } from './failures.ts';
import { shaders } from './generated/shaders.ts';
import { Pipelines } from './pipelines.ts';

let device: GPUDevice;
beforeAll(async () => {
  device = (await openDevice()).device as GPUDevice;
});
afterAll(() => {
  device.destroy();
});

/** A shader after someone has misspelt a word in one of its files. */
function misspelt(shader: Shader<string, never>, word: string): Shader<string, never> {
  expect(shader.code.split(word)).toHaveLength(2);
  return { ...shader, code: shader.code.replace(word, 'mistaken') };
}

async function messageOf(shader: Shader<string, never>, warms = false): Promise<string> {
  const failures = new Failures(device);
  const pipelines = new Pipelines(device, failures);
  const compile = (): void => void pipelines.get(shader, {});
  if (warms) await pipelines.warmUp(compile);
  else compile();
  const error = await failures
    .settled()
    .then(() => {
      failures.checkUntold();
    })
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'TensorError', code: 'kernel', op: shader.name });
  return (error as Error).message;
}

describe('a shader that does not compile', () => {
  const broken = misspelt(shaders.fill, 'vec4<u32>(params.bits)');
  const expected =
    /^fill: the device refused it: ops\/fill\/fill\.wgsl:(\d+): .*mistaken.*\n {2}\d+ \| if .*\n> \1 \| y\[i\] = mistaken;\n {2}\d+ \| \}$/;

  it('is an error that names the file and the line, with the text around it, once', async () => {
    expect(await messageOf(broken)).toMatch(expected);
  });

  it('while warming up too', async () => {
    expect(await messageOf(broken, true)).toMatch(expected);
  });

  it('names the shared file in which the mistake was made', async () => {
    const shared = misspelt(shaders.fill, 'group.id.x');
    expect(await messageOf(shared)).toMatch(
      /^fill: the device refused it: wgsl\/grid\.wgsl:(\d+): .*mistaken.*\n(.*\n)?> \1 \| return .*mistaken/,
    );
  });

  it('counts the lines of a kernel given as text', async () => {
    const { pieces: _, ...unlinked } = broken;
    const text = { ...unlinked, path: '', code: 'fn f() {}\nthis is not WGSL' };
    expect(await messageOf(text)).toMatch(
      /^fill: the device refused it: wgsl:2: .*\n {2}1 \| fn f.*\n> 2 \| this is/,
    );
  });
});
