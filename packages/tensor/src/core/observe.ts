/** A place to watch ops go by, for the debugging modes and the profiler. */
import type { Tensor } from './tensor.ts';

export interface OpEvent {
  readonly op: string;
  readonly inputs: readonly Tensor[];
  readonly outputs: readonly Tensor[];
}

export type OpObserver = (event: OpEvent) => void;

const observers = new Set<OpObserver>();

/** Calls `observer` after every op until the returned function is called. */
export function observeOps(observer: OpObserver): () => void {
  observers.add(observer);
  return () => observers.delete(observer);
}

export function notifyObservers(event: OpEvent): void {
  for (const observer of observers) observer(event);
}
