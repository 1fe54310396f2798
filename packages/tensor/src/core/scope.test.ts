import { describe, expect, it } from 'vitest';
import { tensor, zeros } from '../create/create.ts';
import { add } from '../ops/elementwise/binary.op.ts';
import { gather } from '../ops/gather/gather.op.ts';
import { reshape } from '../ops/shape/reshape.op.ts';
import { useReference } from '../testing/vitest/use-reference.ts';
import { rowIndex } from './row-index.ts';
import { scope } from './scope.ts';
import { memory } from './storage.ts';

useReference();

const live = (): number => memory().buffers;

describe('scope(fn)', () => {
  it('frees what was made inside and keeps what is returned', () => {
    const before = live();
    const kept = scope(() => {
      zeros([10]);
      return add(zeros([2]), 1);
    });
    expect(live()).toBe(before + 1);
    expect(kept.disposed).toBe(false);
  });

  it('frees the others, whichever were freed or taken out of it before', () => {
    const before = live();
    const inside = scope('inside');
    const [a, b, c, d, e] = [1, 2, 3, 4, 5].map((width) => zeros([width]));
    b.dispose();
    d.dispose();
    inside.disown(a);
    inside.disown(a);
    expect(live()).toBe(before + 3);
    inside.dispose();
    expect([a, c, e].map(({ disposed }) => disposed)).toEqual([false, true, true]);
    a.dispose();
    expect(live()).toBe(before);
  });

  it('frees what it owns later, where it is detached', () => {
    const before = live();
    const detached = scope(() => {
      const inside = scope('detached');
      zeros([1]);
      inside.detach();
      inside.detach();
      zeros([1]);
      return { inside };
    }).inside;
    expect(live()).toBe(before + 1);
    scope(() => {
      detached.dispose();
      expect(live()).toBe(before);
    });
    detached.dispose();
  });

  it('is not detached from those that were opened inside it', () => {
    const outer = scope('outer');
    const inner = scope('inner');
    expect(() => outer.detach()).toThrow(
      "scope 'outer' closed while 'inner', opened inside it, is still open",
    );
    inner.dispose();
    outer.dispose();
  });

  it('keeps tensors in arrays, maps and objects, however deep', () => {
    const before = live();
    const kept = scope(() => ({
      list: [zeros([1]), { deep: zeros([1]) }],
      map: new Map([['k', zeros([1])]]),
      n: 1,
    }));
    expect(live()).toBe(before + 3);
    expect(kept.map.get('k')!.disposed).toBe(false);
  });

  it('hands what it keeps to the scope around it', () => {
    const before = live();
    scope(() => {
      scope(() => zeros([1]));
      expect(live()).toBe(before + 1);
    });
    expect(live()).toBe(before);
  });

  it('does not take tensors that were made outside', () => {
    const outside = zeros([1]);
    scope(() => outside);
    scope(() => add(outside, 1));
    expect(outside.disposed).toBe(false);
  });

  it('frees when the function throws', () => {
    const before = live();
    expect(() =>
      scope(() => {
        zeros([1]);
        throw new Error('mine');
      }),
    ).toThrow('mine');
    expect(live()).toBe(before);
  });

  it('reaches across await', async () => {
    const before = live();
    const kept = await scope(async () => {
      const a = tensor([1, 2]);
      await a.data();
      const b = add(a, 1);
      await b.data();
      return add(b, 1);
    });
    expect(live()).toBe(before + 1);
    expect(await kept.toArray()).toEqual([3, 4]);
  });

  it('frees what a value was made of, when the value is read inside', async () => {
    const before = live();
    expect(await scope(() => add(tensor([1]), tensor([2])).item())).toBe(3);
    expect(live()).toBe(before);
  });

  it('frees when an asynchronous function rejects', async () => {
    const before = live();
    await expect(
      scope(async () => {
        await zeros([1]).data();
        zeros([2]);
        throw new Error('mine');
      }),
    ).rejects.toThrow('mine');
    expect(live()).toBe(before);
  });

  it('says so when flows are interleaved rather than nested', async () => {
    let finish = (): void => {};
    const outer = scope(() => new Promise<void>((resolve) => (finish = resolve)), 'first');
    const inner = scope('second');
    finish();
    await expect(outer).rejects.toThrow(
      "scope: scope 'first' closed while 'second', opened inside it, is still open (scopes must nest: await one flow before starting another)",
    );
    inner.dispose();
  });
});

describe('using scope()', () => {
  it('frees at the end of the block, but for what is kept', () => {
    const before = live();
    const step = () => {
      using inside = scope('step');
      zeros([3]);
      return inside.keep(zeros([1]));
    };
    const kept = step();
    expect(live()).toBe(before + 1);
    expect(kept.disposed).toBe(false);
  });

  it('may be closed twice', () => {
    const inside = scope();
    const x = zeros([1]);
    inside.dispose();
    inside.dispose();
    expect(x.disposed).toBe(true);
  });
});

describe('disposal', () => {
  it('is idempotent, and counts shared memory once', () => {
    const before = live();
    const x = zeros([4]);
    const y = reshape(x, [2, 2]);
    expect(live()).toBe(before + 1);
    x.dispose();
    x.dispose();
    expect(live()).toBe(before + 1);
    y.dispose();
    expect(live()).toBe(before);
  });

  it('makes later use an error that names the op and what freed the tensor', async () => {
    const x = zeros([2, 3]);
    x.dispose();
    expect(() => add(x, 1)).toThrow('add: expected a live tensor, got float32 [2, 3] freed by dispose()');
    await expect(x.data()).rejects.toThrow('data: expected a live tensor');
    const y = scope(() => {
      const inner = zeros([1]);
      return () => add(inner, 1);
    }, 'train step');
    expect(y).toThrow("add: expected a live tensor, got float32 [1] freed by scope 'train step'");
  });

  it('of an index frees what it uploaded, and its use is an error', () => {
    const before = live();
    const index = rowIndex([1, 0], 2);
    const x = zeros([2, 2]);
    gather(x, index);
    void [index.offsets, index.order, index.counts];
    index.dispose();
    index.dispose();
    expect(live()).toBe(before + 2);
    expect(() => gather(x, index)).toThrow('gather: expected a live index, got one freed by dispose()');
  });

  it('of an index made outside waits for its own owner, wherever it is first used', () => {
    const index = rowIndex([1, 0], 2);
    const before = live();
    scope(() => {
      gather(zeros([2, 2]), index);
    });
    expect(live()).toBe(before + 1);
    expect(index.ids.disposed).toBe(false);
  });
});

describe('memory', () => {
  it('counts bytes of what is alive', () => {
    const { buffers, bytes } = memory();
    const x = zeros([10, 10]);
    expect(memory()).toEqual({ buffers: buffers + 1, bytes: bytes + 400 });
    x.dispose();
    expect(memory()).toEqual({ buffers, bytes });
  });
});
