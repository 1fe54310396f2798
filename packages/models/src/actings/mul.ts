import { multiplied } from './acting.ts';
import type { ActingPart } from './acting.ts';

/** A(ã, m) = ã·m */
export const mulActing: ActingPart = {
  build: () => ({ modules: {}, act: multiplied }),
};
