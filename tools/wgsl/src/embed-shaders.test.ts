import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { embedShaders } from './embed-shaders.js';

const kernel = (name: string, formula: string): string => `// ${name}

import package::wgsl::twice::twice;

struct Params {
  count: u32,
}

@group(0) @binding(0) var<storage, read_write> y: array<f32>;
@group(0) @binding(1) var<uniform> params: Params;

@compute @workgroup_size(1)
fn main() {
  y[0] = ${formula};
}
`;
const files = {
  'src/wgsl/twice.wgsl': 'fn twice(v: f32) -> f32 {\n  return 2.0 * v;\n}\n',
  'src/ops/one/one.wgsl': kernel('one', 'twice(y[0])'),
  'src/ops/two/two.wgsl': kernel('two', 'twice(y[1])'),
};

let root = '';
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const generated = (): string => readFileSync(join(root, 'src/backends/webgpu/generated/shaders.ts'), 'utf8');

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'shaders-'));
  for (const [path, text] of Object.entries(files)) write(path, text);
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

describe('embedShaders', () => {
  it('ships what shaders share once', async () => {
    expect(await embedShaders(root)).toEqual(['ops/one/one.wgsl', 'ops/two/two.wgsl']);
    expect(generated().split('fn twice(')).toHaveLength(2);
    expect(generated()).toContain("const [p0] = piecesOf('wgsl/twice', { 1: \"fn twice(");
    expect(generated()).toContain("('ops/one/one', \"");
    expect(generated()).toContain(`y[0] = twice(y[0]);\\n}\\n", [p0]),`);
  });

  it('links again what changed, and what imports it', async () => {
    await embedShaders(root);
    expect(await embedShaders(root)).toEqual([]);
    write('src/ops/two/two.wgsl', kernel('two', 'twice(y[2])'));
    expect(await embedShaders(root)).toEqual(['ops/two/two.wgsl']);
    expect(generated()).toContain('twice(y[2])');
    write('src/wgsl/twice.wgsl', files['src/wgsl/twice.wgsl'].replace('2.0', '3.0'));
    expect(await embedShaders(root)).toEqual(['ops/one/one.wgsl', 'ops/two/two.wgsl']);
    expect(generated()).toContain('3.0 * v');
  });

  it('refuses a broken shader, a broken shared file and one that nobody imports, and keeps what there was', async () => {
    await embedShaders(root);
    const before = generated();
    write('src/ops/two/two.wgsl', kernel('two', 'twice(y[2]'));
    await expect(embedShaders(root)).rejects.toThrow(/^ops\/two\/two\.wgsl:1[45]:/);
    write('src/ops/two/two.wgsl', files['src/ops/two/two.wgsl']);
    write('src/wgsl/twice.wgsl', 'fn twice(v: f32) -> f32 {\n  return 2.0 %% v;\n}\n');
    await expect(embedShaders(root)).rejects.toThrow(/^wgsl\/twice\.wgsl:2:/);
    write('src/wgsl/twice.wgsl', files['src/wgsl/twice.wgsl']);
    write('src/wgsl/alone.wgsl', 'fn alone() {}\n');
    await expect(embedShaders(root)).rejects.toThrow(
      'wgsl/alone.wgsl: expected a shader that imports it, got none',
    );
    expect(generated()).toBe(before);
  });
});
