import { describe, expect, it } from 'vitest';
import { requireSameBits } from './compare.ts';

const floats = (...bits: number[]): Float32Array => new Float32Array(Int32Array.from(bits).buffer);

describe('the bits of two runs', () => {
  it('differ where a zero changes its sign', () => {
    expect(() => requireSameBits('output', [new Float32Array([1, 0])], [new Float32Array([1, -0])])).toThrow(
      'output 0 at 1 has other bits in a second run: 0, then 0',
    );
  });

  it('differ where a NaN becomes a number', () => {
    expect(() => requireSameBits('output', [floats(0x7fc00000)], [floats(0x7f800000)])).toThrow(
      'output 0 at 0 has other bits in a second run: NaN, then Infinity',
    );
  });

  it('are the same where a NaN has another sign or payload, which a compiler may choose', () => {
    expect(() => requireSameBits('output', [floats(0x7fc00000)], [floats(0xffc00001)])).not.toThrow();
  });
});
