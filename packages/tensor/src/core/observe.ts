/** A place to watch ops go by, for the debugging modes and the profiler. */
import type { RowIndex } from './row-index.ts';
import type { Tensor } from './tensor.ts';

export interface OpEvent {
  readonly op: string;
  /** The tensors among the operands, and the indices. */
  readonly inputs: readonly Tensor[];
  readonly indices: readonly RowIndex[];
  readonly outputs: readonly Tensor[];
}

export type OpObserver = (event: OpEvent) => void;

const observers = new Set<OpObserver>();

/** Calls `observer` after every op until the returned function is called. */
export function observeOps(observer: OpObserver): () => void {
  observers.add(observer);
  return () => observers.delete(observer);
}

export function hasObservers(): boolean {
  return observers.size > 0;
}

export function notifyObservers(event: OpEvent): void {
  for (const observer of observers) observer(event);
}
