/// <reference lib="esnext.disposable" preserve="true" />
/**
 * Lifetimes. A scope frees every tensor made while it was the innermost one, except those kept.
 *
 * The open scopes form one stack, also across `await`. Asynchronous scopes therefore have to nest: a flow
 * that opens a scope while another flow is suspended inside its own would own that flow's tensors too.
 */
import { TensorError } from './errors.ts';

// Engines without explicit resource management lack the symbol that lowered `using` looks up.
(Symbol as { dispose?: symbol }).dispose ??= Symbol('Symbol.dispose');

/** Base of what scopes own: tensors and row indices. Here rather than in tensor.ts, so that imports stay acyclic. */
export abstract class ScopedValue {
  /** The scope that will free this value, if any. */
  owner: Scope | undefined = undefined;
  /** Its place among what the scope owns. */
  place = 0;
  /** `by` is named in the error when the value is used afterwards. */
  abstract dispose(by?: string): void;
}

const open: Scope[] = [];

/**
 * Owns the tensors that are made while it is the innermost open scope, and frees them when it closes, save those
 * kept.
 */
export class Scope {
  readonly name: string;
  readonly #owned: ScopedValue[] = [];

  constructor(name: string) {
    this.name = name;
    open.push(this);
  }

  /** Hands what `value` contains (tensors and row indices in arrays, maps, plain objects) to the enclosing scope. */
  keep<T>(value: T): T {
    const parent = open[open.indexOf(this) - 1];
    eachTensor(value, (tensor) => {
      if (tensor.owner !== this) return;
      this.disown(tensor);
      parent?.own(tensor);
    });
    return value;
  }

  own(value: ScopedValue): void {
    value.place = this.#owned.push(value) - 1;
    value.owner = this;
  }

  disown(value: ScopedValue): void {
    if (value.owner !== this) return;
    value.owner = undefined;
    const last = this.#owned.pop()!;
    if (last !== value) this.#owned[(last.place = value.place)] = last;
  }

  /** Closes it without freeing anything: what it owns lives until `dispose()`, whichever scopes are open by then. */
  detach(): void {
    const position = open.indexOf(this);
    if (position < 0) return;
    const inner = open[position + 1];
    open.splice(position, 1);
    if (inner) {
      throw new TensorError(
        'scope',
        'disposed',
        `scope '${this.name}' closed while '${inner.name}', opened inside it, is still open ` +
          '(scopes must nest: await one flow before starting another)',
      );
    }
  }

  /** Closes it, and frees what was made inside and not kept. Safe to call twice. */
  dispose(): void {
    try {
      this.detach();
    } finally {
      while (this.#owned.length > 0) this.#owned.at(-1)!.dispose(`scope '${this.name}'`);
    }
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

/**
 * Opens a scope to be closed by `using` or `dispose()`.
 *
 * @example
 * const total = await scope(() => sum(mul(ones([3]), 2)).item()); // 6
 * const kept = scope(() => add(ones([2]), 1)); // [2, 2]
 */
export function scope(name?: string): Scope;
/** Runs `fn` in a scope; what it returns, or resolves to, is kept. */
export function scope<T>(fn: () => T, name?: string): T;
export function scope<T>(fnOrName: (() => T) | string = 'scope', name = 'scope'): Scope | T {
  if (typeof fnOrName === 'string') return new Scope(fnOrName);
  const inside = new Scope(name);
  let result: T;
  try {
    result = fnOrName();
  } catch (error) {
    inside.dispose();
    throw error;
  }
  if (result instanceof Promise) {
    return result
      .then((value: unknown) => inside.keep(value))
      .finally(() => {
        inside.dispose();
      }) as T;
  }
  inside.keep(result);
  inside.dispose();
  return result;
}

/** The scope that owns tensors made now, if any. */
export function innermostScope(): Scope | undefined {
  return open.at(-1);
}

/** Visits every tensor (or row index) in a value, array, map or plain object, nested as deep as it goes. */
export function eachTensor(value: unknown, visit: (tensor: ScopedValue) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (value instanceof ScopedValue) visit(value);
  else if (Array.isArray(value)) for (const item of value) eachTensor(item, visit);
  else if (value instanceof Map) for (const item of value.values()) eachTensor(item, visit);
  else if (isPlainObject(value)) for (const item of Object.values(value)) eachTensor(item, visit);
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
