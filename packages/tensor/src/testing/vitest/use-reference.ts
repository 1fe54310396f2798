/** For unit tests: the reference backend for the whole file, and no buffer left behind by any test. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { referenceBackend } from '../../backends/reference/reference-backend.ts';
import type { ReferenceOptions } from '../../backends/reference/reference-backend.ts';
import { setBackend } from '../../core/backend.ts';
import { scope } from '../../core/scope.ts';
import type { Scope } from '../../core/scope.ts';
import { memory } from '../../core/storage.ts';

/** Each test runs in a scope of its own; what it leaves alive beyond that is a leak and fails. */
export function useReference(options: ReferenceOptions = {}): void {
  let before: ReturnType<typeof memory>;
  let test: Scope;
  beforeAll(() => {
    setBackend(referenceBackend(options));
  });
  afterAll(() => {
    setBackend(undefined);
  });
  beforeEach(() => {
    before = memory();
    test = scope('test');
  });
  afterEach(() => {
    test.dispose();
    expect(memory(), 'live buffers').toEqual(before);
  });
}
