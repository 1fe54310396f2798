/** Goes with every module that multiplies: called once in every thread's instance, with memory of its own; not a kernel. */
import { setScratch } from './multiply.as';

export function useScratch(pointer: usize): void {
  setScratch(pointer);
}
