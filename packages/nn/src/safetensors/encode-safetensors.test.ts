import { describe, expect, it } from 'vitest';
import { decodeSafetensors } from './decode-safetensors.ts';
import { encodeSafetensors } from './encode-safetensors.ts';
import { maxKeys } from './header-reader.ts';
import type { StoredTensor } from './stored-tensor.ts';

const f32 = (shape: number[], ...values: number[]): StoredTensor => ({
  dtype: 'F32',
  shape,
  data: Float32Array.from(values),
});
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe('encodeSafetensors', () => {
  it('writes the length, the header and the data, little-endian', () => {
    const bytes = encodeSafetensors({ w: f32([1, 2], 1, -2) });
    const header = '{"w":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}';
    expect(header.length).toBe(56);
    expect([...bytes.subarray(0, 8)]).toEqual([56, 0, 0, 0, 0, 0, 0, 0]);
    expect(text(bytes.subarray(8, 64))).toBe(header);
    expect([...bytes.subarray(64)]).toEqual([0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0]);
  });

  it('fills the header up with spaces to a multiple of 8 bytes', () => {
    expect(text(encodeSafetensors({}))).toBe('\b\0\0\0\0\0\0\0{}      ');
    const bytes = encodeSafetensors({ 'a.longer.name': f32([0]) });
    expect(bytes[0] % 8).toBe(0);
    expect(text(bytes.subarray(8))).toMatch(/^\{.*\}\} {1,7}$/);
  });

  it('puts wide dtypes first, then orders by name, so that every tensor is aligned', () => {
    const bytes = encodeSafetensors({
      flag: { dtype: 'BOOL', shape: [3], data: Uint8Array.of(1, 0, 1) },
      b: f32([1], 2),
      a: { dtype: 'I32', shape: [1], data: Int32Array.of(-1) },
      wide: { dtype: 'F64', shape: [], data: Float64Array.of(Math.PI) },
      byte: { dtype: 'U8', shape: [2], data: Uint8Array.of(7, 255) },
    });
    const offsets = [
      ...text(bytes).matchAll(/"(\w+)":\{"dtype":"\w+","shape":\[\d*\],"data_offsets":(\[.*?\])/g),
    ];
    expect(offsets.map(([, name, range]) => `${name} ${range}`)).toEqual([
      'wide [0,8]',
      'a [8,12]',
      'b [12,16]',
      'byte [16,18]',
      'flag [18,21]',
    ]);
    const { tensors } = decodeSafetensors(bytes);
    for (const { data } of tensors.values()) expect(data.buffer).toBe(bytes.buffer);
    expect(tensors.get('wide')!.data).toEqual(Float64Array.of(Math.PI));
    expect(tensors.get('flag')).toEqual({ dtype: 'BOOL', shape: [3], data: Uint8Array.of(1, 0, 1) });
  });

  it('gives equal bytes for equal content, in any order, from objects and maps', () => {
    const [x, y] = [f32([1], 1), f32([1], 2)];
    const one = encodeSafetensors({ x, y }, { format: 'flowgrad', at: '3' });
    expect(encodeSafetensors({ y, x }, { at: '3', format: 'flowgrad' })).toEqual(one);
    const map = new Map([
      ['y', y],
      ['x', x],
    ]);
    expect(encodeSafetensors(map, new Map(Object.entries({ at: '3', format: 'flowgrad' })))).toEqual(one);
  });

  it('puts metadata first', () => {
    expect(text(encodeSafetensors({ '0': f32([0]) }, { model: 'GGNN "α"' }))).toContain(
      '{"__metadata__":{"model":"GGNN \\"α\\""},"0":{',
    );
  });

  it('writes the values of a view, and every bit of NaN, −0 and infinity', () => {
    const all = Float32Array.of(9, -0, NaN, -Infinity, 9);
    const data = all.subarray(1, 4);
    const { tensors } = decodeSafetensors(encodeSafetensors({ w: { dtype: 'F32', shape: [3], data } }));
    const back = tensors.get('w')!.data;
    expect(Object.is(back[0], -0)).toBe(true);
    expect([...back]).toEqual([-0, NaN, -Infinity]);
  });

  it.for<[string, Record<string, unknown>, string]>([
    ['a length', { shape: [3] }, "tensor 'w': expected 3 values for [3], got 2"],
    ['a shape', { shape: [-1, -2] }, "tensor 'w': expected a shape of whole numbers ≥ 0, got [-1, -2]"],
    ['a shape', { shape: [0.5, 4] }, "tensor 'w': expected a shape of whole numbers ≥ 0, got [0.5, 4]"],
    ['a dtype', { dtype: 'F16' }, "tensor 'w': expected a dtype among F64, F32, I32, U8, BOOL, got 'F16'"],
    ['a dtype', { dtype: 'toString' }, "got 'toString'"],
    [
      'an array',
      { dtype: 'I32' },
      "tensor 'w': expected data in a Int32Array for I32, got [object Float32Array]",
    ],
    [
      'a bool',
      { dtype: 'BOOL', data: Uint8Array.of(1, 2) },
      "tensor 'w': expected BOOL bytes of 0 or 1, got others",
    ],
  ])('refuses %s that is wrong: %o', ([, change, message]) => {
    const w = { ...f32([2], 1, 2), ...change };
    expect(() => encodeSafetensors({ w })).toThrow(message);
  });

  it.for<[string, string]>([
    ['__metadata__', "expected a name other than '__metadata__'"],
    ['__proto__', "expected a name other than '__proto__'"],
    ['\ud800', 'expected a name of whole Unicode characters'],
  ])('refuses the name %j', ([name, message]) => {
    expect(() => encodeSafetensors(new Map([[name, f32([0])]]))).toThrow(message);
  });

  it('refuses a header that it would not read again', () => {
    expect(() => encodeSafetensors({}, { notes: 'n'.repeat(2 ** 24) })).toThrow(
      'encodeSafetensors: expected a header of at most 16777216 bytes, got 16777248',
    );
  });

  it('refuses more tensors, metadata or extents than can be read again', () => {
    const none = f32([0]);
    const many = Array.from({ length: maxKeys + 1 }, (_, i) => String(i));
    const tensors = new Map(many.map((name) => [name, none]));
    expect(() => encodeSafetensors(tensors)).toThrow(
      'encodeSafetensors: expected at most 65536 entries in {}, got 65537',
    );
    expect(() => encodeSafetensors({}, new Map(many.map((name) => [name, ''])))).toThrow('got 65537');
    tensors.delete('0');
    expect(decodeSafetensors(encodeSafetensors(tensors)).tensors.size).toBe(maxKeys);
    // The metadata is an entry of the header, too.
    expect(() => encodeSafetensors(tensors, { a: '' })).toThrow('got 65537');
    expect(() =>
      encodeSafetensors({
        w: f32(
          Array.from({ length: 65 }, () => 1),
          1,
        ),
      }),
    ).toThrow("tensor 'w': expected a shape of at most 64 extents, got 65");
  });

  it('refuses metadata that is not text', () => {
    const encode = (metadata: object): unknown => encodeSafetensors({}, metadata as Record<string, string>);
    expect(() => encode({ epoch: 3 })).toThrow(
      "encodeSafetensors: metadata 'epoch': expected whole Unicode text, got 3",
    );
    expect(() => encode({ note: '\udc00' })).toThrow("metadata 'note': expected whole Unicode text");
    expect(() => encode(new Map([['__proto__', 'x']]))).toThrow(
      "encodeSafetensors: metadata: expected a name other than '__proto__'",
    );
  });
});
