import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataEnd } from './data-end.js';
import { generate } from './generate.js';

const files = {
  'src/bench/.keep': '',
  'src/backends/wasm/assembly/twice.as.ts': `
const constants = memory.data<f32>([2.0]);
export function twice(v: f32): f32 {
  return v * load<f32>(constants);
}
`,
  'src/backends/wasm/assembly/multiply.as.ts': `
let scratch: usize = 0;
export function setScratch(pointer: usize): void {
  scratch = pointer;
}
export function scratchOf(): usize {
  return scratch;
}
`,
  'src/backends/wasm/assembly/scratch.as.ts': `
import { setScratch } from './multiply.as';
export function useScratch(pointer: usize): void {
  setScratch(pointer);
}
`,
  'src/ops/double/double.as.ts': `
import { twice } from '../../backends/wasm/assembly/twice.as';
export function double(start: i32, end: i32, x: usize): void {
  for (let i = start; i < end; i++) store<f32>(x + (<usize>i << 2), twice(load<f32>(x + (<usize>i << 2))));
}
`,
  'src/ops/room/room.as.ts': `
import { scratchOf } from '../../backends/wasm/assembly/multiply.as';
export function room(start: i32, end: i32, y: usize): void {
  store<usize>(y, scratchOf());
}
`,
};

let root = '';
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const generated = (path: string): string =>
  readFileSync(join(root, 'src/backends/wasm/generated', path), 'utf8');

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'kernels-'));
  for (const [path, text] of Object.entries(files)) write(path, text);
});
afterAll(() => {
  rmSync(root, { recursive: true });
});

/** The functions of all parts of a build over one memory, as the backend joins them. */
async function kernels(memory: WebAssembly.Memory): Promise<Record<string, (...args: number[]) => void>> {
  const all: Record<string, (...args: number[]) => void> = {};
  for (const [, hex] of generated('kernels.ts').matchAll(/\{ plain: '([^']*)'/g)) {
    const { instance } = await WebAssembly.instantiate(Buffer.from(hex, 'hex'), { env: { memory } });
    Object.assign(all, instance.exports);
  }
  return all;
}

describe('generate', () => {
  it('compiles every file of kernels as a module, and joins their signatures', async () => {
    expect(await generate(root)).toEqual(['double', 'room']);
    expect(generated('kernels.ts')).toMatch(/double: pack\d+,/);
    expect(generated('kernels.ts')).toMatch(
      /export const modules = \[\n( {2}\{ plain: '[0-9a-f]+', relaxed: '[0-9a-f]+' \},\n){2}\];/,
    );
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536, shared: true });
    const { double, room, useScratch } = await kernels(memory);
    const floats = new Float32Array(memory.buffer);
    floats.set([1, 2, 3], 16384 / 4);
    double(0, 2, 16384);
    expect([...floats.subarray(16384 / 4, 16384 / 4 + 3)]).toEqual([2, 4, 3]);
    useScratch(4096);
    room(0, 1, 16384);
    expect(new Int32Array(memory.buffer)[16384 / 4]).toBe(4096);
  });

  it('keeps what did not change', async () => {
    expect(await generate(root)).toEqual([]);
    write('src/ops/room/room.as.ts', files['src/ops/room/room.as.ts'].replace('y, ', 'y + 4, '));
    expect(await generate(root)).toEqual(['room']);
    write(
      'src/backends/wasm/assembly/twice.as.ts',
      files['src/backends/wasm/assembly/twice.as.ts'].replace('2.0', '3.0'),
    );
    expect(await generate(root)).toEqual(['double']);
  });

  it('gives constants a room of their own when a file before them comes or goes', async () => {
    write('src/ops/add/add.as.ts', 'export function add(start: i32, end: i32): void {}\n');
    expect(await generate(root)).toEqual(['add', 'double']);
    rmSync(join(root, 'src/ops/add/add.as.ts'));
    expect(await generate(root)).toEqual(['double']);
    expect(readdirSync(join(root, 'src/backends/wasm/generated/kernels'))).toEqual([
      'double.json',
      'room.json',
    ]);
  });

  it('names the file and the line of a mistake, and keeps what there was', async () => {
    const before = generated('kernels/room.json');
    write('src/ops/room/room.as.ts', files['src/ops/room/room.as.ts'].replace('scratchOf()', 'mistaken()'));
    await expect(generate(root)).rejects.toThrow(
      /^src\/ops\/room\/room\.as\.ts: expected AssemblyScript, got[^]*mistaken[^]*room\.as\.ts\(4,/,
    );
    expect(generated('kernels/room.json')).toBe(before);
    write('src/ops/room/room.as.ts', files['src/ops/room/room.as.ts']);
    expect(await generate(root)).toEqual(['room']);
  });

  it('refuses constants that do not fit', async () => {
    const many = files['src/backends/wasm/assembly/twice.as.ts'].replace(
      '2.0',
      Array(100).fill('2.0').join(),
    );
    write('src/backends/wasm/assembly/twice.as.ts', many);
    await expect(generate(root)).rejects.toThrow(
      'src/ops/double/double.as.ts: expected at most 256 bytes of constants, got 400',
    );
  });
});

it('dataEnd finds the last byte of constants', () => {
  const header = [0, 97, 115, 109, 1, 0, 0, 0];
  // Section 11 of 9 bytes: one segment, flag 0, i32.const 1024, end, 2 bytes.
  expect(dataEnd(Uint8Array.of(...header, 11, 9, 1, 0, 0x41, 0x80, 8, 0x0b, 2, 5, 6))).toBe(1026);
  expect(dataEnd(Uint8Array.of(...header))).toBe(0);
});
