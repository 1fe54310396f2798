import { describe, expect, it } from 'vitest';
import { referenceBackend } from '../backends/reference/reference-backend.ts';
import { describeComposed, describeGradients, describeParity } from '../testing/loops.ts';
import { registry } from './registry.ts';

describe('the registry', () => {
  it('lists every op under its own name', () => {
    expect(Object.values(registry).map((op) => op.name)).toEqual(Object.keys(registry));
  });
});

const reference = referenceBackend();

describeParity('the float32 reference', () => reference);
describeGradients();
describeComposed();
