import { describe, inject } from 'vitest';
import { referenceBackend } from '../backends/reference/reference-backend.ts';
import { describeComposed, describeGradients, describeParity } from '../testing/vitest/describe-checks.ts';

const reference = referenceBackend();

// Plain loops over arrays do not care whether a page is isolated; once is enough.
describe.runIf(inject('isolated'))('plain JavaScript in a page', () => {
  describeParity('the float32 reference', () => reference);
  describeGradients();
  describeComposed();
});
