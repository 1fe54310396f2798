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
  // Not of what is negative.
  if (v < 0.0) { return v; }
  return 2.0 * four(v) / four(1.0);
}

fn thrice(v: f32) -> f32 {
  return 3.0 * v;
}
`,
  'wgsl/four.wgsl': 'fn four(v: f32) -> f32 {\n  return 4.0 * v;\n}\n',
};
const path = 'ops/my-op/my-op.wgsl';

describe('linkShader', () => {
  it('joins what is used, once, without imports and comments, each line where it was written', async () => {
    expect(await linkShader(path, sources)).toEqual([
      {
        file: path,
        line: 1,
        text: [
          ...['', '', '', '', ''],
          '@group(0) @binding(0) var<storage, read_write> y: array<f32>;',
          '',
          '@compute @workgroup_size(1) fn main() {',
          ...['', ''],
          'y[0] = twice(four(y[0]));',
          '}\n',
        ].join('\n'),
      },
      {
        file: 'wgsl/twice-of.wgsl',
        line: 4,
        text: 'fn twice(v: f32) -> f32 {\n\nif (v < 0.0) { return v; }\nreturn 2.0 * four(v) / four(1.0);\n}\n',
      },
      { file: 'wgsl/four.wgsl', line: 1, text: 'fn four(v: f32) -> f32 {\nreturn 4.0 * v;\n}\n' },
    ]);
  });

  it('names the file and the line of what is not WGSL, in the shader and in what it imports', async () => {
    const broken = (file: keyof typeof sources, from: string): Record<string, string> => ({
      ...sources,
      [file]: sources[file].replace(from, `${from} )`),
    });
    await expect(linkShader(path, broken(path, 'y[0] ='))).rejects.toThrow(/^ops\/my-op\/my-op\.wgsl:11:/);
    await expect(linkShader(path, broken('wgsl/twice-of.wgsl', 'return 2.0'))).rejects.toThrow(
      /^wgsl\/twice-of\.wgsl:7:/,
    );
  });
});
