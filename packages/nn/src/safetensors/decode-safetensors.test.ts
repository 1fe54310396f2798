import { describe, expect, it } from 'vitest';
import { headerOf, rawFile } from '../testing/safetensors-file.ts';
import { decodeSafetensors } from './decode-safetensors.ts';
import { encodeSafetensors } from './encode-safetensors.ts';
import { maxKeys, maxRank } from './header-reader.ts';
import { maxHeaderLength } from './header.ts';
import { SafetensorsError } from './safetensors-error.ts';

const entry = (shape: string, begin: number, end: number, dtype = 'F32'): string =>
  `{"dtype":"${dtype}","shape":${shape},"data_offsets":[${begin},${end}]}`;

describe('decodeSafetensors', () => {
  it('reads a file written elsewhere: any order, space, escapes, no padding', () => {
    const header = `{ "\\u0062.w" : {"shape":[ 1 , 2 ], "data_offsets":\t[4,12],\r\n"dtype":"F32"},
      "a":${entry('[]', 0, 4, 'I32')}, "__metadata__":{"format":"pt"}}   `;
    const bytes = rawFile(header, 12);
    bytes.set([1, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0], bytes.length - 12);
    const { tensors, metadata } = decodeSafetensors(bytes);
    expect([...tensors]).toEqual([
      ['b.w', { dtype: 'F32', shape: [1, 2], data: Float32Array.of(1, -2) }],
      ['a', { dtype: 'I32', shape: [], data: Int32Array.of(1) }],
    ]);
    expect([...metadata]).toEqual([['format', 'pt']]);
  });

  it('reads quotes and backslashes in names', () => {
    const { metadata } = decodeSafetensors(rawFile('{"__metadata__":{"a\\"b\\\\":"\\\\\\"","c":""}}'));
    expect([...metadata]).toEqual([
      ['a"b\\', '\\"'],
      ['c', ''],
    ]);
  });

  it('reads a file without tensors, and tensors without elements', () => {
    expect(decodeSafetensors(rawFile('{}')).tensors.size).toBe(0);
    const header = `{"a":${entry('[0,3]', 8, 8)},"w":${entry('[2]', 0, 8)},"b":${entry('[0]', 0, 0)}}`;
    const { tensors } = decodeSafetensors(rawFile(header, 8));
    expect(tensors.get('a')).toEqual({ dtype: 'F32', shape: [0, 3], data: new Float32Array(0) });
  });

  it.for([0, 1, 2, 3, 4])(
    'reads bytes that begin at %i in a larger buffer, and in Node’s Buffer',
    (shift) => {
      const data = Float32Array.of(0.1, -7);
      const file = encodeSafetensors({ w: { dtype: 'F32', shape: [2], data } });
      for (const room of [new Uint8Array(file.length + 8), Buffer.alloc(file.length + 8)]) {
        const bytes = room.subarray(shift, shift + file.length);
        bytes.set(file);
        expect(decodeSafetensors(bytes).tensors.get('w')!.data).toEqual(data);
      }
    },
  );

  it('shares memory with the bytes it was given, where they are aligned', () => {
    const file = encodeSafetensors({ w: { dtype: 'F32', shape: [2], data: Float32Array.of(1, 2) } });
    expect(decodeSafetensors(file).tensors.get('w')!.data.buffer).toBe(file.buffer);
  });

  it('keeps names like constructor as names', () => {
    const { tensors } = decodeSafetensors(rawFile(`{"constructor":${entry('[0]', 0, 0)}}`));
    expect([...tensors.keys()]).toEqual(['constructor']);
  });

  const huge = '9'.repeat(16);
  it.for<[string, Uint8Array, string]>([
    ['no bytes', new Uint8Array(0), 'expected at least 8 bytes, got 0'],
    ['less than a length', new Uint8Array(7), 'expected at least 8 bytes, got 7'],
    ['a length and no header', rawFile(''), "expected a header that begins with '{', got byte none"],
    ['a header that is cut', rawFile('{}', 0, 3n), 'expected a header of 3 bytes, got a file with 2 left'],
    [
      'a header over the cap',
      rawFile('{}', 0, BigInt(maxHeaderLength) + 1n),
      'expected a header of at most 16777216 bytes, got 16777217',
    ],
    [
      'a length of 2⁶⁴ − 1',
      rawFile('{}', 0, 2n ** 64n - 1n),
      'expected a header of at most 16777216 bytes, got 18446744073709551615',
    ],
    [
      'a header that begins with space',
      rawFile(' {}'),
      "expected a header that begins with '{', got byte 32",
    ],
    ['a byte order mark', rawFile('\ufeff{}'), "expected a header that begins with '{', got byte 239"],
    ['an array', rawFile('[]'), "expected a header that begins with '{', got byte 91"],
    [
      'a header that is not closed',
      rawFile('{'),
      'expected a string at character 1 of the header, got the end',
    ],
    [
      'a string that is not closed',
      rawFile('{"w'),
      'expected a JSON string at character 1, got one that is broken',
    ],
    ['a bad escape', rawFile('{"\\x":1}'), 'expected a JSON string at character 1, got one that is broken'],
    ['a line break in a string', rawFile('{"a\nb":1}'), 'expected a JSON string at character 1'],
    [
      'a comma too many',
      rawFile('{"__metadata__":{},}'),
      "expected a string at character 19 of the header, got '}'",
    ],
    [
      'words after the header',
      rawFile('{} {}'),
      "expected the end of the header at character 3 of the header, got '{'",
    ],
    ['a NUL after the header', rawFile('{}\0'), 'expected the end of the header'],
    ['a comment', rawFile('{/**/}'), "expected a string at character 1 of the header, got '/'"],
    [
      'a tensor twice',
      rawFile(`{"w":${entry('[0]', 0, 0)},"w":${entry('[0]', 0, 0)}}`),
      "expected key 'w' once",
    ],
    [
      'a tensor twice, once escaped',
      rawFile(`{"w":${entry('[0]', 0, 0)},"\\u0077":${entry('[0]', 0, 0)}}`),
      "expected key 'w' once, got it twice",
    ],
    ['metadata twice', rawFile('{"__metadata__":{},"__metadata__":{}}'), "expected key '__metadata__' once"],
    ['a key of metadata twice', rawFile('{"__metadata__":{"a":"1","a":"2"}}'), "expected key 'a' once"],
    ['metadata that is not text', rawFile('{"__metadata__":{"a":1}}'), 'expected a string at character 21'],
    ['nested metadata', rawFile('{"__metadata__":{"a":{}}}'), 'expected a string at character 21'],
    [
      'a tensor named __proto__',
      rawFile(`{"__proto__":${entry('[0]', 0, 0)}}`),
      "expected a name other than '__proto__'",
    ],
    [
      'metadata named __proto__',
      rawFile('{"__metadata__":{"__proto__":"x"}}'),
      "expected a name other than '__proto__'",
    ],
    [
      'half a character as a name',
      rawFile(`{"\\ud800":${entry('[0]', 0, 0)}}`),
      'expected a name of whole Unicode characters',
    ],
    [
      'bytes that no tensor has',
      rawFile('{}', 5),
      'expected 0 bytes after the header, got 5: the last belong to no tensor',
    ],
  ])('refuses %s', ([, bytes, message]) => {
    expect(() => decodeSafetensors(bytes)).toThrow(`decodeSafetensors: ${message}`);
    expect(() => decodeSafetensors(bytes)).toThrow(SafetensorsError);
  });

  it.for<[string, Uint8Array, string]>([
    [
      'a field twice',
      rawFile('{"w":{"dtype":"F32","dtype":"F32"}}'),
      "expected key 'dtype' once, got it twice",
    ],
    [
      'a field too few',
      rawFile('{"w":{"dtype":"F32","shape":[2]}}', 8),
      'expected the fields dtype, shape and data_',
    ],
    [
      'an unknown field',
      rawFile('{"w":{"strides":[1]}}'),
      "expected fields among dtype, shape, data_offsets, got 'strides'",
    ],
    ['no object', rawFile('{"w":1}'), "expected '{' at character 5 of the header, got '1'"],
    [
      'an unknown dtype',
      rawFile(headerOf({ dtype: '"F33"' }), 8),
      "expected a dtype among F64, F32, I32, U8, BOOL, got 'F33'",
    ],
    ['a dtype of the language', rawFile(headerOf({ dtype: '"toString"' }), 8), "got 'toString'"],
    ['a dtype that is a number', rawFile(headerOf({ dtype: '32' }), 8), 'expected a string at character 14'],
    [
      'a negative extent',
      rawFile(headerOf({ shape: '[-2]' }), 8),
      'expected a whole number from 0 to 2⁵³ − 1, got -2',
    ],
    [
      'a fraction',
      rawFile(headerOf({ shape: '[2.5]' }), 8),
      'expected a whole number from 0 to 2⁵³ − 1, got 2.5',
    ],
    ['an exponent', rawFile(headerOf({ shape: '[2e0]' }), 8), 'got 2e0 at character'],
    ['a leading zero', rawFile(headerOf({ shape: '[02]' }), 8), 'got 02 at character'],
    ['an extent as text', rawFile(headerOf({ shape: '["2"]' }), 8), "got '\\\"' at character"],
    ['an extent that is null', rawFile(headerOf({ shape: '[null]' }), 8), 'got null at character'],
    ['an extent that is missing', rawFile(headerOf({ shape: '[2,]' }), 8), "got ']' at character"],
    ['an extent beyond 2⁵³', rawFile(headerOf({ shape: `[${huge}]` }), 8), `got ${huge} at character`],
    ['a shape that is a number', rawFile(headerOf({ shape: '2' }), 8), "expected '[' at character"],
    ['a nested shape', rawFile(headerOf({ shape: '[[2]]' }), 8), "got '[' at character"],
    [
      'a shape that overflows',
      rawFile(headerOf({ shape: '[4294967296,4294967296]' }), 8),
      'expected a size below 2⁵³ bytes for shape [4294967296, 4294967296], got data_offsets [0, 8]',
    ],
    [
      'a shape that overflows to what fits, in 64 bits',
      rawFile(headerOf({ shape: '[4294967296,4294967296,2]', data_offsets: '[0,0]' })),
      'expected a size below 2⁵³ bytes',
    ],
    [
      'a shape that overflows before it is 0',
      rawFile(headerOf({ shape: '[4294967296,4294967296,0]', data_offsets: '[0,0]' })),
      'expected a size below 2⁵³ bytes',
    ],
    [
      'a size beyond the file',
      rawFile(headerOf({ shape: '[2000000000]', data_offsets: '[0,8000000000]' }), 8),
      'expected bytes inside the 8 after the header, got data_offsets [0, 8000000000]',
    ],
    [
      'another length than its shape',
      rawFile(headerOf({ shape: '[3]' }), 8),
      'expected 12 bytes for F32 [3], got data_offsets [0, 8]',
    ],
    [
      'data that is cut',
      rawFile(headerOf(), 7),
      'expected bytes inside the 7 after the header, got data_offsets [0, 8]',
    ],
    [
      'offsets in the wrong order',
      rawFile(headerOf({ data_offsets: '[8,0]' }), 8),
      'expected 8 bytes for F32 [2], got data_offsets [8, 0]',
    ],
    ['one offset', rawFile(headerOf({ data_offsets: '[8]' }), 8), 'expected two data_offsets, got 1'],
    ['three offsets', rawFile(headerOf({ data_offsets: '[0,8,8]' }), 8), 'expected two data_offsets, got 3'],
    ['a negative offset', rawFile(headerOf({ data_offsets: '[-8,0]' }), 8), 'got -8 at character'],
    [
      'a hole at the start',
      rawFile(headerOf({ data_offsets: '[4,12]' }), 12),
      'expected no hole before it: bytes from 0 on belong to no tensor',
    ],
    [
      'a hole between',
      rawFile(`{"a":${entry('[1]', 0, 4)},"w":${entry('[1]', 8, 12)}}`, 12),
      'expected no hole before it: bytes from 4 on',
    ],
    [
      'an overlap',
      rawFile(`{"a":${entry('[2]', 0, 8)},"w":${entry('[2]', 4, 12)}}`, 12),
      "expected bytes of its own, not those of 'a', got data_offsets [4, 12]",
    ],
    [
      'the same bytes as another',
      rawFile(`{"a":${entry('[2]', 0, 8)},"w":${entry('[2]', 0, 8)}}`, 8),
      "expected bytes of its own, not those of 'a'",
    ],
    [
      'no elements, inside another',
      rawFile(`{"a":${entry('[2]', 0, 8)},"w":${entry('[0]', 4, 4)}}`, 8),
      "not those of 'a'",
    ],
  ])('refuses a tensor with %s, and names it', ([, bytes, message]) => {
    expect(() => decodeSafetensors(bytes)).toThrow(`decodeSafetensors: tensor 'w': `);
    expect(() => decodeSafetensors(bytes)).toThrow(message);
    expect(() => decodeSafetensors(bytes)).toThrow(expect.objectContaining({ tensor: 'w' }) as Error);
  });

  it('refuses a header that is not UTF-8', () => {
    const bytes = rawFile('{"x":1}');
    bytes[10] = 0xff;
    expect(() => decodeSafetensors(bytes)).toThrow(
      'decodeSafetensors: expected a header of UTF-8, got other bytes',
    );
  });

  it('refuses bools that are neither 0 nor 1', () => {
    const bytes = rawFile(`{"w":${entry('[3]', 0, 3, 'BOOL')}}`, 3);
    bytes.set([1, 0, 2], bytes.length - 3);
    expect(() => decodeSafetensors(bytes)).toThrow("tensor 'w': expected BOOL bytes of 0 or 1, got 2 at 2");
  });

  it('refuses what is not bytes', () => {
    const buffer = new ArrayBuffer(16) as unknown as Uint8Array;
    expect(() => decodeSafetensors(buffer)).toThrow('expected a Uint8Array, got [object ArrayBuffer]');
  });

  it('keeps messages short and printable whatever the names are', () => {
    const name = `\\u0000${'n'.repeat(100_000)}`;
    const bytes = rawFile(`{"${name}":{"dtype":"${'D'.repeat(100_000)}","shape":[],"data_offsets":[0,0]}}`);
    let message = '';
    try {
      decodeSafetensors(bytes);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain("tensor '\\u0000nnn");
    expect(message).not.toContain('\0');
    expect(message.length).toBeLessThan(400);
  });

  it('refuses more tensors, metadata or extents than it says', () => {
    const list = (count: number, item: (i: number) => string): string =>
      Array.from({ length: count }, (_, i) => item(i)).join(',');
    const withTensors = (count: number) => rawFile(`{${list(count, (i) => `"${i}":${entry('[0]', 0, 0)}`)}}`);
    const withMetadata = (count: number) => rawFile(`{"__metadata__":{${list(count, (i) => `"${i}":""`)}}}`);
    const withExtents = (count: number) => rawFile(`{"w":${entry(`[${list(count, () => '1')}]`, 0, 4)}}`, 4);
    for (const [file, most] of [
      [withTensors, maxKeys],
      [withMetadata, maxKeys],
      [withExtents, maxRank],
    ] as const) {
      expect(() => decodeSafetensors(file(most))).not.toThrow();
      expect(() => decodeSafetensors(file(most + 1))).toThrow(`expected at most ${most} entries in `);
    }
  });

  it('stays small and quick with nesting, shapes and names as large as a header may be', () => {
    const before = process.memoryUsage().arrayBuffers;
    const started = process.cpuUsage();
    const size = 2_000_000;
    for (const header of [
      `{"w":${'['.repeat(size)}`,
      `${'{"w":'.repeat(size / 5)}`,
      `{"w":{"shape":[${'1,'.repeat(size / 2)}1],"dtype":"F32","data_offsets":[0,8]}}`,
      `{"${'\\\\'.repeat(size / 2)}`,
    ]) {
      expect(() => decodeSafetensors(rawFile(header, 4))).toThrow(SafetensorsError);
    }
    expect(process.cpuUsage(started).user).toBeLessThan(5_000_000);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
  });
});
