import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { useReference } from '../testing/vitest/use-reference.ts';
import { deferredIndex, joinIndices, rowIndex, segments } from './row-index.ts';
import { scope } from './scope.ts';

useReference();

describe('rowIndex', () => {
  it('finds an id outside and a fall at any place of a list of any length', () => {
    for (let length = 1; length <= 9; length++) {
      const ascending = Int32Array.from({ length }, (_, k) => k);
      expect(rowIndex(ascending, length).sorted).toBe(true);
      for (let at = 0; at < length; at++) {
        const withId = (id: number): Int32Array => ascending.map((each, k) => (k === at ? id : each));
        for (const id of [-1, length]) {
          expect(() => rowIndex(withId(id), length)).toThrow(`got ${id} at ${at}`);
        }
        if (at > 1) expect(rowIndex(withId(at - 2), length).sorted).toBe(false);
      }
    }
  });

  it('carries its ids, their grouping and their counts', async () => {
    const index = rowIndex([2, 0, 2, 1], 4);
    expect(index).toMatchObject({ length: 4, rows: 4, sorted: false });
    expect(Array.from(await index.ids.data())).toEqual([2, 0, 2, 1]);
    expect(Array.from(await index.offsets.data())).toEqual([0, 1, 2, 4, 4]);
    expect(Array.from(await index.order.data())).toEqual([1, 3, 0, 2]);
    expect(Array.from(await index.counts.data())).toEqual([1, 1, 2, 0]);
  });

  it('groups by a stable sort', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 6 }), { maxLength: 40 }), fc.boolean(), (unsorted, sort) =>
        scope(async () => {
          const ids = sort ? unsorted.toSorted() : unsorted;
          const index = rowIndex(ids, 7);
          const stable = ids.map((_, k) => k).sort((a, b) => ids[a] - ids[b] || a - b);
          expect(Array.from(await index.order.data())).toEqual(stable);
          expect(index.sorted).toBe(stable.every((k, position) => k === position));
          const offsets = Array.from({ length: 8 }, (_, row) => ids.filter((id) => id < row).length);
          expect(Array.from(await index.offsets.data())).toEqual(offsets);
        }),
      ),
    );
  });

  it('knows counts and the longest row also after its grouping was uploaded', async () => {
    const index = rowIndex([2, 0, 2, 1], 4);
    for (const part of [index.offsets, index.order]) expect(part.shape.length).toBe(1);
    expect(index.longest).toBe(2);
    // Room that others write to from here on.
    expect(Array.from(await rowIndex([3, 3, 3, 3], 4).order.data())).toEqual([0, 1, 2, 3]);
    expect(Array.from(await index.counts.data())).toEqual([1, 1, 2, 0]);
    expect(Array.from(await index.offsets.data())).toEqual([0, 1, 2, 4, 4]);
  });

  it.for<[string, number[], number]>([
    ['sorted', [0, 1, 1, 1, 3], 3],
    ['unsorted', [3, 1, 0, 1, 1], 3],
    ['none', [], 0],
  ])('knows its longest row: of ids that are %s', ([, ids, longest]) => {
    expect(rowIndex(ids, 4).longest).toBe(longest);
  });

  it('is sorted and uploaded once: the same tensors every time', () => {
    const index = rowIndex([1, 0], 2);
    for (const part of ['ids', 'offsets', 'order', 'counts'] as const) expect(index[part]).toBe(index[part]);
  });

  it('keeps its ids when the array it was made of changes', () => {
    const source = new Int32Array([0, 1]);
    const index = rowIndex(source, 2);
    source[0] = 1;
    index.toArray()[1] = 0;
    expect(Array.from(index.toArray())).toEqual([0, 1]);
  });
});

describe('rowIndex, freed', () => {
  it('gives its room to others, and cannot be read any more', async () => {
    const freed = rowIndex([1, 0, 1], 2);
    expect(Array.from(await freed.order.data())).toEqual([1, 0, 2]);
    freed.dispose();
    const others = [rowIndex([2, 1, 0], 3), rowIndex([0, 0, 2], 3)];
    for (const read of [() => freed.toArray(), () => freed.length, () => freed.offsets, () => freed.sorted]) {
      expect(read).toThrow('rowIndex: expected a live index, got one freed by dispose()');
    }
    freed.dispose();
    expect(others.map((index) => Array.from(index.toArray()))).toEqual([
      [2, 1, 0],
      [0, 0, 2],
    ]);
    expect(Array.from(await others[0].order.data())).toEqual([2, 1, 0]);
    expect(Array.from(await others[1].offsets.data())).toEqual([0, 2, 2, 3]);
  });
});

describe('segments', () => {
  it('is an index known to be sorted', () => {
    expect(segments([0, 0, 3], 5)).toMatchObject({ sorted: true, rows: 5, length: 3 });
    expect(segments([], 0)).toMatchObject({ sorted: true, length: 0 });
  });
});

describe('deferredIndex', () => {
  it('makes its ids once, when they are first asked for, and belongs to the scope it was deferred in', () => {
    let made = 0;
    const make = (): number[] => {
      made += 1;
      return [0, 2, 1];
    };
    const outer = scope('outer');
    const index = deferredIndex(make, 3);
    expect(made).toBe(0);
    scope(() => void index.ids);
    expect(index).toMatchObject({ length: 3, rows: 3, sorted: false });
    expect(Array.from(index.toArray())).toEqual([0, 2, 1]);
    expect(made).toBe(1);
    outer.dispose();
    expect(() => index.ids).toThrow("freed by scope 'outer'");
  });

  it('checks them then', () => {
    const index = deferredIndex(() => [0, 3], 3);
    expect(() => index.length).toThrow('deferredIndex: expected ids in 0 … 2, got 3 at 1');
    index.dispose();
  });
});

describe('joinIndices', () => {
  const lists = fc.array(fc.array(fc.nat({ max: 6 }), { maxLength: 5 }), { minLength: 1, maxLength: 4 });

  it('puts the rows of parts side by side, or points all at the same', () => {
    fc.assert(
      fc.property(lists, fc.boolean(), fc.boolean(), (unsorted, sort, sameRows) => {
        scope(() => {
          const parts = unsorted.map((ids) => (sort ? ids.toSorted() : ids));
          const expected = parts.flatMap((ids, p) => ids.map((id) => (sameRows ? id : 7 * p + id)));
          const joined = joinIndices(
            parts.map((ids) => rowIndex(ids, 7)),
            { sameRows },
          );
          expect(Array.from(joined.toArray())).toEqual(expected);
          expect(joined.rows).toBe(sameRows ? 7 : 7 * parts.length);
          expect(joined.sorted).toBe(expected.every((id, k) => k === 0 || expected[k - 1] <= id));
        });
      }),
    );
  });

  it('stands alone: its parts may be freed, also if they were deferred', async () => {
    const parts = [deferredIndex(() => [1, 0], 2), rowIndex([0], 3)];
    const joined = joinIndices(parts);
    for (const part of parts) part.dispose();
    expect(joined.rows).toBe(5);
    expect(Array.from(await joined.ids.data())).toEqual([1, 0, 2]);
  });
});
