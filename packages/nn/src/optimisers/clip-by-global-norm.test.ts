import { memory, parameter, sum, tensor, valueAndGrad, zeros } from '@flowgrad/tensor';
import { describe, expect, it } from 'vitest';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { clipByGlobalNorm } from './clip-by-global-norm.ts';

useReference();

describe('clipByGlobalNorm', () => {
  it('scales all gradients by one factor, so that their common norm is the limit', async () => {
    // ‖(3, 0), (0, 4), 12‖ = 13
    const clipped = clipByGlobalNorm([tensor([3, 0]), tensor([[0], [4]]), tensor(12)], 6.5);
    expect(await Promise.all(clipped.map((g) => g.toArray()))).toEqual([[1.5, 0], [[0], [2]], 6]);
  });

  it('leaves gradients within the limit as they are, to the bit', async () => {
    const values = [0.1, -0.7, 1 / 3];
    const [same] = clipByGlobalNorm([tensor(values)], 0.8);
    expect(await same.data()).toEqual(Float32Array.from(values));
  });

  it('takes gradients of 0, empty ones and none', async () => {
    const [zero, empty] = clipByGlobalNorm([zeros([2]), zeros([0])], 1);
    expect(await zero.toArray()).toEqual([0, 0]);
    expect(empty.shape).toEqual([0]);
    expect(clipByGlobalNorm([], 1)).toEqual([]);
  });

  it('leaves nothing but what it returns, and nothing on an open tape', () => {
    const p = parameter(tensor([3, 4]));
    const before = memory().buffers;
    const [clipped] = clipByGlobalNorm([p], 1);
    expect(memory().buffers).toBe(before + 1);
    const { grads } = valueAndGrad(() => sum(clipByGlobalNorm([p], 1)[0]));
    expect(grads.size).toBe(0);
    clipped.dispose();
  });

  it.for([0, -1, NaN, Infinity])('refuses a limit of %s', (limit) => {
    expect(() => clipByGlobalNorm([], limit)).toThrow(
      `clipByGlobalNorm: limit must be a finite number > 0, got ${limit}`,
    );
  });
});
