import { describe, expect, it } from 'vitest';
import { releaseInts, takeInts } from './int-pool.ts';

describe('takeInts', () => {
  it('gives room of any length, also none, and never the same to two', () => {
    const lengths = [0, 1, 255, 256, 257, 5000];
    const rooms = lengths.map(takeInts);
    expect(rooms.map(({ length }) => length)).toEqual(lengths);
    expect(new Set(rooms.map(({ buffer }) => buffer)).size).toBe(lengths.length);
    rooms.forEach(releaseInts);
  });

  it('gives back what was released, to lists of about its length', () => {
    const room = takeInts(3000);
    releaseInts(room);
    const [shorter, longer, same] = [takeInts(1000), takeInts(5000), takeInts(2500)];
    expect(same.buffer).toBe(room.buffer);
    expect(shorter.buffer).not.toBe(room.buffer);
    expect(longer.buffer).not.toBe(room.buffer);
  });

  it('keeps 64 MB at most', () => {
    const rooms = [takeInts(2 ** 23), takeInts(2 ** 23), takeInts(2 ** 23)];
    rooms.forEach(releaseInts);
    const again = new Set(
      [takeInts(2 ** 23), takeInts(2 ** 23), takeInts(2 ** 23)].map(({ buffer }) => buffer),
    );
    expect(rooms.filter(({ buffer }) => again.has(buffer)).length).toBeLessThan(3);
    expect(rooms.filter(({ buffer }) => again.has(buffer)).length).toBeGreaterThan(0);
  });
});
