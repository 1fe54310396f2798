import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { generate } from './generate.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'op-lists-'));
  const files = {
    'add/add.op.ts':
      "export const addOp = defineOp({\n  name: 'add',\n});\nexport const addReference = () => {};\nexport function add() {}\n",
    'add/add.wasm.ts': 'export const addWasm = {};\n',
    'add/add.webgpu.ts': 'export const addKernel: GpuKernel = () => {};\n',
    'add/add.cases.ts': 'export const addCases = {};\nexport const composedAddCases = {};\n',
    'add/add.mistakes.ts': 'export const addMistakes = {};\n',
    'add/add.bench.ts': 'export const addBench = {};\n',
    'add/index.ts':
      "export { add } from './add.op.ts';\nexport type {\n  Sum,\n  Term,\n} from './add.op.ts';\n",
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

function write(path: string, text: string): void {
  const full = join(root, 'src/ops', path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
}

const generated = (file: string): string => readFileSync(join(root, 'src/ops/generated', file), 'utf8');

describe('the lists of ops', () => {
  it('name what the folders hold', () => {
    write('shape/shape.op.ts', 'export const shapeOps = {};\nexport const shapeReferences = {};\n');
    write('shape/index.ts', 'export {};\n');
    generate(root);
    expect(generated('ops.ts')).toContain('export const ops = {\n  add: addOp,\n  ...shapeOps,\n};');
    expect(generated('references.ts')).toContain(
      'export const references: ReferenceTable = {\n  add: addReference,\n  ...shapeReferences,\n};',
    );
    expect(generated('ops.ts')).toContain("import { shapeOps } from '../shape/shape.op.ts';");
    expect(generated('wasm-kernels.ts')).toContain(
      'export const wasmKernels: WasmKernelTable = {\n  ...addWasm,',
    );
    expect(generated('webgpu-kernels.ts')).toContain('  add: addKernel,');
    expect(generated('all.cases.ts')).toMatch(/opCases: [^;]*\{\n {2}\.\.\.addCases,\n\}/);
    expect(generated('all.cases.ts')).toMatch(/composedCases: [^;]*\{\n {2}\.\.\.composedAddCases,\n\}/);
    expect(generated('all.mistakes.ts')).toContain('  ...addMistakes,');
    expect(generated('all.bench.ts')).toContain('  ...addBench,');
    expect(generated('public.ts')).toContain(
      "export { add } from '../add/add.op.ts';\nexport type { Sum, Term } from '../add/add.op.ts';\n",
    );
  });

  it('are written only when something changed', () => {
    expect(generate(root)).toHaveLength(8);
    expect(generate(root)).toEqual([]);
    write('add/add.wasm.ts', 'export const sumWasm = {};\n');
    expect(generate(root)).toEqual(['wasm-kernels.ts']);
  });

  it('leave out views, which have no kernel', () => {
    const view = "export const viewOp = defineOp({\n  name: 'view',\n  viewOf: 'x',\n});\n";
    write('add/view.op.ts', `${view}export const afterOp = defineOp({\n  name: 'after',\n});\n`);
    generate(root);
    expect(generated('ops.ts')).toContain('afterOp');
    expect(generated('ops.ts')).not.toContain('viewOp');
    write('add/view.op.ts', view);
    generate(root);
    expect(generated('ops.ts')).not.toContain('view');
  });

  it('leave out launchers that others share', () => {
    write('add/blocks.wasm.ts', 'export function withBlocks() {}\n');
    generate(root);
    expect(generated('wasm-kernels.ts')).not.toContain('blocks');
  });
});

describe('a folder that is not as it should be', () => {
  it('is named if nothing says what users see of it', () => {
    write('sub/sub.op.ts', 'export const subOp = defineOp({});\n');
    expect(() => generate(root)).toThrow('ops/sub: expected index.ts with what users see of it');
  });

  it('is named if a file does not export what its name promises', () => {
    write('add/add.cases.ts', 'export const cases = {};\n');
    expect(() => generate(root)).toThrow('ops/add/add.cases.ts: expected export const …Cases');
  });

  it('is named if it exports what another does', () => {
    write('sub/sub.bench.ts', 'export const addBench = {};\n');
    write('sub/index.ts', 'export {};\n');
    expect(() => generate(root)).toThrow(
      'ops/sub/sub.bench.ts: expected a name of its own, got addBench as in ops/add/add.bench.ts',
    );
  });
});
