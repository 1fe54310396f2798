/** A place for tapes to hear of every call of an op. Here rather than with the tapes, so that ops need not know them. */
import type { OpCall } from './backend.ts';
import type { RowIndex } from './row-index.ts';
import type { Tensor } from './tensor.ts';

/** A call as it was made, before any backend saw it. */
export type RecordedCall = OpCall<Tensor, RowIndex>;

/** What is told of every call while it is open. */
export interface Recorder {
  add(call: RecordedCall): void;
}

let openRecorders: Recorder[] = [];
let paused = 0;

/**
 * Whether a tape would record an op now: gradients are asked for or, while they are made, are to have gradients of their own.
 *
 * @example
 * isRecording(); // false
 */
export function isRecording(): boolean {
  return paused === 0 && openRecorders.length > 0;
}

/** Tells what is open of a call; to be asked only while something records. */
export function recordCall(call: RecordedCall): void {
  for (const recorder of openRecorders) recorder.add(call);
}

/**
 * Runs `fn` without recording anything on any tape.
 *
 * @example
 * const w = parameter(tensor([3]));
 * const { grads } = valueAndGrad(() => sum(add(w, noGrad(() => square(w)))));
 * grads.get(w); // [1]
 */
export function noGrad<T>(fn: () => T): T {
  paused += 1;
  try {
    return fn();
  } finally {
    paused -= 1;
  }
}

/** Runs `fn` with one more recorder. */
export function recordAlso<T>(recorder: Recorder, fn: () => T): T {
  openRecorders.push(recorder);
  try {
    return fn();
  } finally {
    openRecorders.splice(openRecorders.indexOf(recorder), 1);
  }
}

/** Runs `fn` with one recorder in place of all that are open. */
export function recordInstead<T>(recorder: Recorder, fn: () => T): T {
  const others = openRecorders;
  openRecorders = [recorder];
  try {
    return fn();
  } finally {
    openRecorders = others;
  }
}
