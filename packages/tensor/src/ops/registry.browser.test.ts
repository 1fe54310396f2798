import { referenceBackend } from '../backends/reference/reference-backend.ts';
import { describeComposed, describeGradients, describeParity } from '../testing/vitest/describe-checks.ts';

const reference = referenceBackend();

describeParity('the float32 reference', () => reference);
describeGradients();
describeComposed();
