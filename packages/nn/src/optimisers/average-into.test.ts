import { memory, parameter, referenceBackend, setBackend, tensor } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { beforeAll, expect, it } from 'vitest';
import { averageInto } from './average-into.ts';

beforeAll(() => void setBackend(referenceBackend({ precision: 'float64' })));

const named = (value: number): Map<string, Tensor> => new Map([['w', parameter(tensor([value, -value]))]]);

it('is the recursion p̄ ← βp̄ + (1−β)p, whose β grows up to the decay', async () => {
  const decay = 0.3;
  const means = named(100);
  let expected = 0;
  for (let step = 1; step <= 12; step++) {
    const value = Math.sin(step);
    averageInto(means, named(value), { decay, step });
    const beta = Math.min(decay, (step - 1) / (step + 9));
    expected = beta * expected + (1 - beta) * value;
    const [first, second] = await means.get('w')!.data();
    expect(first).toBeCloseTo(expected, 14);
    expect(second).toBeCloseTo(-expected, 14);
  }
});

it('forgets where the means were before the first step', async () => {
  const means = named(100);
  averageInto(means, named(3), { decay: 0.99, step: 1 });
  expect([...(await means.get('w')!.data())]).toEqual([3, -3]);
});

it('leaves nothing behind', () => {
  const [means, now] = [named(1), named(2)];
  const before = memory();
  averageInto(means, now, { decay: 0.9, step: 5 });
  expect(memory()).toEqual(before);
});

it.for([1, -0.1, NaN])('refuses a decay of %d', (decay) => {
  expect(() => {
    averageInto(named(1), named(2), { decay, step: 1 });
  }).toThrow(`averageInto: expected decay in 0 ≤ β < 1, got ${decay}`);
});

it('wants a mean of every parameter', () => {
  expect(() => {
    averageInto(new Map(), named(2), { decay: 0.9, step: 1 });
  }).toThrow("averageInto: expected a mean of 'w', got none");
});
