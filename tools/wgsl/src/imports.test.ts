import { describe, expect, it } from 'vitest';
import { checkImports, importsOf, unusedFiles } from './imports.js';

const kernel = '@compute @workgroup_size(1)\nfn main() {}\n';
const sources = {
  'ops/my-op/my-op.wgsl': `import package::wgsl::two_things::{left, right};\nfn f() { left(); right(); }\n${kernel}`,
  'wgsl/two-things.wgsl':
    'fn left() {}\nfn right() {}\n@group(0) @binding(0) var<storage, read> x: array<f32>;\n',
};
const changed = (path: keyof typeof sources, from: string, to: string): Record<string, string> => ({
  ...sources,
  [path]: sources[path].replace(from, to),
});
const shader = 'ops/my-op/my-op.wgsl';

describe('imports of a shader', () => {
  it('name a file, whose hyphens are underscores, and what is taken of it', () => {
    expect(importsOf(sources[shader])).toEqual([
      { module: 'wgsl/two_things.wgsl', name: 'left', line: 1 },
      { module: 'wgsl/two_things.wgsl', name: 'right', line: 1 },
    ]);
    expect(() => {
      checkImports(sources);
    }).not.toThrow();
  });

  it.for([
    [
      'a file that is not there',
      changed(shader, 'two_things', 'three'),
      'my-op.wgsl:1: expected an import of a file',
    ],
    [
      'a name that is not there',
      changed(shader, 'right}', 'wrong}'),
      'my-op.wgsl:1: expected a name of wgsl/two_things.wgsl (left, right, x), got wrong',
    ],
    [
      'a name that is not used',
      changed(shader, 'right();', '// right'),
      'my-op.wgsl:1: right is imported and not used',
    ],
    [
      'another form',
      changed(shader, 'import package', 'import other'),
      'my-op.wgsl:1: expected import package::folder::file::name; got import other::wgsl',
    ],
    [
      'itself through others',
      {
        'a.wgsl': 'import package::b::g;\nfn f() { g(); }\n',
        'b.wgsl': 'import package::a::f;\nfn g() { f(); }\n',
      },
      'a.wgsl: imports go in a circle: a.wgsl → b.wgsl → a.wgsl',
    ],
  ] as const)('are refused where they name %s', ([, wrong, message]) => {
    expect(() => {
      checkImports(wrong);
    }).toThrow(message);
  });

  it('leave no shared file over', () => {
    expect(unusedFiles(sources)).toEqual([]);
    expect(unusedFiles({ ...sources, 'wgsl/alone.wgsl': 'fn alone() {}\n' })).toEqual(['wgsl/alone.wgsl']);
  });
});
