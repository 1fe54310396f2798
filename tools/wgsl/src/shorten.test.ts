import { fileURLToPath } from 'node:url';
import { openDevice } from '@flowgrad/tensor/node';
import { describe, expect, it } from 'vitest';
import { describeShader } from './describe-shader.js';
import { readSources } from './embed-shaders.js';
import { isKernel } from './imports.js';
import { linkShader } from './link-shader.js';
import { shortener } from './shorten.js';

const shader = `struct Params { count: u32, scale: f32 }
override lanes: u32 = 1u;
@group(0) @binding(0) var<storage, read> values: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> sums: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;
fn scaled(value: f32) -> f32 {
let read = step(0.5, value) - -params.scale;
let step = value * read;
return select(step, value, value > - 1.0);
}
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
if (id.x >= params.count / lanes) { return; }
sums[id.x] = scaled(values[id.x].xyz.y);
}
`;

describe('the short form of a shader', () => {
  const short = shortener([shader])(shader);

  it('has letters for its own names, and keeps those of WGSL and those that host code gives', () => {
    expect(short).toMatch(/^struct ([A-Z])\{count:u32,scale:f32\}\noverride lanes:u32=1u;\n/);
    expect(short).toContain('var<storage,read>values:array<vec4f>;');
    expect(short).toContain('@compute@workgroup_size(64)fn main(@builtin(global_invocation_id)id:vec3u){');
    expect(short).toMatch(/if\(id\.x>=\w\.count\/lanes\)\{return;\}/);
    expect(short).toMatch(/let read=step\(0\.5,(\w)\)- -\w\.scale;\nlet step=\1\*read;/);
    expect(short).toContain('.xyz.y');
    expect(short).not.toMatch(/Params|params|scaled|value\b/);
  });

  it('has as many lines, so that a mistake is found where it was written', () => {
    expect(short.split('\n')).toHaveLength(shader.split('\n').length);
  });

  it('is the same for shaders that share a declaration', () => {
    const shared = 'fn doubled(v: f32) -> f32 {\nreturn 2.0 * v;\n}\n';
    const users = ['alpha', 'beta'].map(
      (name) => `fn ${name}() -> f32 {\nreturn doubled(1.0);\n}\n${shared}`,
    );
    const shorten = shortener(users);
    for (const user of users) expect(shorten(user).endsWith(shorten(shared))).toBe(true);
  });
});

describe('the shaders that are shipped', async () => {
  const sources = readSources(fileURLToPath(new URL('../../../packages/tensor/src', import.meta.url)));
  const kernels = Object.keys(sources).filter((path) => isKernel(sources[path]));
  const codes = await Promise.all(
    kernels.map(async (path) => (await linkShader(path, sources)).map(({ text }) => text).join('')),
  );
  const shorten = shortener(codes);

  it('have the buffers, parameters and constants of those that were written', () => {
    const contract = (path: string, code: string): unknown => {
      const { choices: _, ...described } = describeShader(
        path,
        code.replace(/var<uniform>\w+/, 'var<uniform>params'),
      );
      return described;
    };
    kernels.forEach((path, i) => {
      expect(contract(path, shorten(codes[i])), path).toEqual(contract(path, codes[i]));
    });
  });

  it('compile on a device', async () => {
    const device = (await openDevice()).device as GPUDevice;
    for (const code of codes) {
      const { messages } = await device.createShaderModule({ code: shorten(code) }).getCompilationInfo();
      expect(messages.map(({ message }) => message)).toEqual([]);
    }
    device.destroy();
  });
});
