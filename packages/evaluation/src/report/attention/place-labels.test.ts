import { describe, expect, it } from 'vitest';
import { overlap, placeLabels } from './place-labels.ts';

const box = (x: number, y: number) => ({ x, y, width: 10, height: 4 });
const picture = { x: 50, y: 50, width: 100, height: 100 };

describe('labels', () => {
  it('take the first place that is free', () => {
    expect(placeLabels([[box(50, 50), box(70, 50)]], [], picture)).toEqual([box(50, 50)]);
    expect(placeLabels([[box(50, 50), box(70, 50)]], [box(52, 51)], picture)).toEqual([box(70, 50)]);
    expect(placeLabels([[box(2, 50), box(30, 50)]], [], picture)).toEqual([box(30, 50)]);
  });

  it('give way to those before them, and cover least where they must', () => {
    expect(placeLabels([[box(50, 50)], [box(50, 50), box(58, 50)]], [], picture)[1]).toEqual(box(58, 50));
  });

  it('share the area that they share', () => {
    expect(overlap(box(0, 0), box(6, 1))).toBe(4 * 3);
    expect(overlap(box(0, 0), { x: 0, y: 0, width: 2, height: 2 })).toBe(4);
    expect(overlap(box(0, 0), box(20, 0))).toBe(0);
  });
});
