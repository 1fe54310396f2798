import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Allocator, blockSize } from './allocator.ts';

const MiB = 2 ** 20;

function allocator(limit: number): Allocator {
  let end = 0;
  return new Allocator({
    start: 64,
    limit,
    grow: (wanted) => {
      end = Math.max(end, Math.min(limit, wanted + 4096));
      return end;
    },
  });
}

describe('blocks', () => {
  it('are whole cache lines that waste at most an eighth', () => {
    for (let bytes = 1; bytes < 10_000_000; bytes = Math.ceil(bytes * 1.01) + 1) {
      const size = blockSize(bytes);
      expect(size % 64).toBe(0);
      expect(size).toBeGreaterThanOrEqual(bytes);
      expect(size).toBeLessThanOrEqual(Math.max(64 * Math.ceil(bytes / 64), bytes * 1.125));
    }
  });

  it('are reused when they are free', () => {
    const memory = allocator(MiB);
    const first = memory.allocate(1000);
    memory.free(first, 1000);
    expect(memory.allocate(990)).toBe(first);
    expect(memory.inUse).toBe(blockSize(990));
  });

  it('are counted where most were in use at once', () => {
    const memory = allocator(MiB);
    const first = memory.allocate(1000);
    const second = memory.allocate(5000);
    memory.free(first, 1000);
    memory.free(second, 5000);
    memory.allocate(3000);
    expect(memory.peak).toBe(blockSize(1000) + blockSize(5000));
  });

  it('never overlap, whatever is asked for and freed', () => {
    const step = fc.record({ bytes: fc.integer({ min: 0, max: 60_000 }), free: fc.nat() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const memory = allocator(MiB);
        const live: { pointer: number; bytes: number }[] = [];
        for (const { bytes, free } of steps) {
          if (free % 3 === 0 && live.length > 0) {
            const [{ pointer, bytes: size }] = live.splice(free % live.length, 1);
            memory.free(pointer, size);
            continue;
          }
          let pointer: number;
          try {
            pointer = memory.allocate(bytes);
          } catch {
            continue;
          }
          expect(pointer % 64).toBe(0);
          expect(pointer + bytes).toBeLessThanOrEqual(MiB);
          for (const other of live) {
            expect(pointer + bytes <= other.pointer || other.pointer + other.bytes <= pointer).toBe(true);
          }
          live.push({ pointer, bytes });
        }
        for (const { pointer, bytes } of live) memory.free(pointer, bytes);
        expect(memory.inUse).toBe(0);
      }),
    );
  });
});

describe('memory that ends', () => {
  it('joins freed neighbours before it gives up', () => {
    const memory = allocator(MiB);
    const small = Array.from({ length: 120 }, () => memory.allocate(8192));
    expect(() => memory.allocate(MiB / 2)).toThrow();
    for (const pointer of small) memory.free(pointer, 8192);
    expect(() => memory.allocate(MiB / 2)).not.toThrow();
  });

  it('joins even the little that is free', () => {
    const memory = allocator(MiB);
    const small = Array.from({ length: 127 }, () => memory.allocate(8192));
    for (const pointer of small.slice(40, 50)) memory.free(pointer, 8192);
    expect(memory.allocate(65_536)).toBe(small[40]);
  });

  it('says how much was wanted, in use, free and allowed', () => {
    const memory = allocator(MiB);
    const kept = memory.allocate(MiB / 2);
    expect(() => memory.allocate(700_000)).toThrow(
      expect.objectContaining({
        code: 'memory',
        message:
          'allocate: expected room for 683.6 KiB, got 512 KiB in use and 0 bytes free, none of it in one piece of that size, of at most 1 MiB (free tensors with scope(), or make the batch smaller)',
      }) as Error,
    );
    memory.free(kept, MiB / 2);
    expect(() => memory.allocate(700_000)).not.toThrow();
  });
});
