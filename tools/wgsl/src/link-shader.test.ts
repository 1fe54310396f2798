import { describe, expect, it } from 'vitest';
import { linkShader } from './link-shader.js';

const sources = {
  'ops/my-op/my-op.wgsl': `// y = 2·x.

import package::wgsl::twice_of::twice;
import package::wgsl::four::four;

@group(0) @binding(0) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(1)
fn main() {
  // Comments stay behind.
  y[0] = twice(four(y[0]));
}
`,
  'wgsl/twice-of.wgsl': `import package::wgsl::four::four;

// Twice as much.
fn twice(v: f32) -> f32 {
  return 2.0 * four(v) / four(1.0);
}

fn thrice(v: f32) -> f32 {
  return 3.0 * v;
}
`,
  'wgsl/four.wgsl': 'fn four(v: f32) -> f32 {\n  return 4.0 * v;\n}\n',
};
const path = 'ops/my-op/my-op.wgsl';

/** Each line of the code with where it was written. */
async function written(files: Record<string, string>): Promise<string[]> {
  const { code, imports, lines } = await linkShader(path, files);
  const places: string[] = [];
  for (let i = 0; i < lines.length; i += 3) {
    for (let k = 0; k < lines[i]; k++) places.push(`${[path, ...imports][lines[i + 1]]}:${lines[i + 2] + k}`);
  }
  const text = code.trimEnd().split('\n');
  expect(places).toHaveLength(text.length);
  return text.map((line, i) => `${places[i]} ${line}`);
}

describe('linkShader', () => {
  it('joins what is used, once, without imports and comments, and knows where it was written', async () => {
    expect(await written(sources)).toEqual([
      'ops/my-op/my-op.wgsl:6 @group(0) @binding(0) var<storage, read_write> y: array<f32>;',
      'ops/my-op/my-op.wgsl:8 @compute @workgroup_size(1) fn main() {',
      'ops/my-op/my-op.wgsl:11 y[0] = twice(four(y[0]));',
      'ops/my-op/my-op.wgsl:12 }',
      'wgsl/twice-of.wgsl:4 fn twice(v: f32) -> f32 {',
      'wgsl/twice-of.wgsl:5 return 2.0 * four(v) / four(1.0);',
      'wgsl/twice-of.wgsl:6 }',
      'wgsl/four.wgsl:1 fn four(v: f32) -> f32 {',
      'wgsl/four.wgsl:2 return 4.0 * v;',
      'wgsl/four.wgsl:3 }',
    ]);
  });

  it('names the file and the line of what is not WGSL, in the shader and in what it imports', async () => {
    const broken = (file: keyof typeof sources, from: string): Record<string, string> => ({
      ...sources,
      [file]: sources[file].replace(from, `${from} )`),
    });
    await expect(linkShader(path, broken(path, 'y[0] ='))).rejects.toThrow(/^ops\/my-op\/my-op\.wgsl:11:/);
    await expect(linkShader(path, broken('wgsl/twice-of.wgsl', 'return 2.0'))).rejects.toThrow(
      /^wgsl\/twice-of\.wgsl:5:/,
    );
  });
});
