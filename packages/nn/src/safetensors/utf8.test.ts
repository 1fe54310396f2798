import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeUtf8, encodeUtf8 } from './utf8.ts';

describe('UTF-8', () => {
  it('comes back as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(decodeUtf8(encodeUtf8(text))).toBe(text);
      }),
    );
  });

  it('keeps a byte order mark', () => {
    expect(decodeUtf8(Uint8Array.of(0xef, 0xbb, 0xbf))).toBe('\ufeff');
  });

  it('is read from shared memory', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(2));
    shared.set([0xc3, 0xa9]);
    expect(decodeUtf8(shared)).toBe('é');
  });

  it.for([
    ['a stray continuation', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['half a surrogate pair', [0xed, 0xa0, 0x80]],
    ['a code beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
    ['a character cut short', [0xe2, 0x82]],
  ] as const)('objects to %s', ([, bytes]) => {
    expect(() => decodeUtf8(Uint8Array.from(bytes))).toThrow(TypeError);
  });
});
