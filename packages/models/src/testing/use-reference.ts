/** For tests: the float64 reference backend for the whole file, and no buffer left behind by any test. */
import { memory, referenceBackend, scope, setBackend } from '@flowgrad/tensor';
import type { Scope } from '@flowgrad/tensor';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';

/** Each test runs in a scope of its own; what it leaves alive beyond that is a leak and fails. */
export function useFloat64(): void {
  let before: ReturnType<typeof memory>;
  let test: Scope;
  beforeAll(() => void setBackend(referenceBackend({ precision: 'float64' })));
  afterAll(() => void setBackend(undefined));
  beforeEach(() => {
    before = memory();
    test = scope('test');
  });
  afterEach(() => {
    test.dispose();
    expect(memory(), 'live buffers').toEqual(before);
  });
}
