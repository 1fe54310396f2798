import type { TensorSpec } from './dtype.ts';
import { nearestName } from './nearest-name.ts';

/** What went wrong, for callers who want to tell failures apart without reading the message. */
export type TensorErrorCode =
  | 'shape'
  | 'dtype'
  | 'axis'
  | 'index'
  | 'option'
  | 'backend'
  | 'disposed'
  | 'gradient'
  | 'numeric'
  // What a device may refuse: too large for it, no memory left, a kernel it rejects, the device itself gone.
  | 'limit'
  | 'memory'
  | 'kernel'
  | 'lost';

/**
 * Every error this package raises on purpose. The message reads `op: expected …, got … (hint)`;
 * `op` and `code` carry the same facts for programs.
 */
export class TensorError extends Error {
  override readonly name: string = 'TensorError';
  readonly op: string;
  readonly code: TensorErrorCode;

  constructor(op: string, code: TensorErrorCode, message: string) {
    super(`${op}: ${message}`);
    this.op = op;
    this.code = code;
  }
}

/** The device is gone: unplugged, reset, or closed. Values that were not read before are gone with it. */
export class DeviceLostError extends TensorError {
  override readonly name = 'DeviceLostError';

  constructor(reason: string) {
    super(
      'device',
      'lost',
      `expected a live device, but ${reason} (open a new one and upload what you kept)`,
    );
  }
}

/** `[2, 3]`, as shapes are written in messages. */
export function showShape(shape: readonly number[]): string {
  return `[${shape.join(', ')}]`;
}

/** `float32 [2, 3]`. */
export function showSpec({ dtype, shape }: TensorSpec): string {
  return `${dtype} ${showShape(shape)}`;
}

// Names and choices may come from a file of any size.
const longestName = 60;
const mostListed = 30;
const listedOfMany = 12;

/**
 * What is said of a name that is not among its choices, the same in every package. For errors of other classes
 * than TensorError; `expectOneOf` and `rejectUnknownOptions` throw it.
 *
 * @example
 * unknownName('model', 'GNN', ['GGNN', 'GAT']); // "expected model among GGNN, GAT, got 'GNN' (did you mean GGNN?)"
 */
export function unknownName(what: string, name: unknown, choices: readonly string[]): string {
  const text = String(name);
  const cut = text.length > longestName ? `${text.slice(0, longestName)}…` : text;
  const shown = JSON.stringify(cut).slice(1, -1);
  const listed =
    choices.length > mostListed
      ? `${choices.slice(0, listedOfMany).join(', ')}, … (${choices.length} names)`
      : choices.join(', ') || 'none';
  const meant = nearestName(text, choices);
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  return `expected ${what} among ${listed}, got '${shown}'${hint}`;
}

/**
 * Raises for options that a function does not know, so that a misspelt one is never ignored.
 *
 * @example
 * const blur = (options: { readonly radius?: number }) => {
 *   rejectUnknownOptions('blur', options, ['radius']);
 * };
 */
export function rejectUnknownOptions(where: string, options: object, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null) {
    const message = `expected an object of options among ${known.join(', ')}, got ${String(options)}`;
    throw new TensorError(where, 'option', message);
  }
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) throw new TensorError(where, 'option', unknownName('options', key, known));
  }
}

/**
 * Raises unless `value` is one of `choices`; `what` names it in the message.
 *
 * @example
 * const reduction = expectOneOf('pool', 'reduction', 'mean', ['mean', 'sum']);
 */
export function expectOneOf<const Choice extends string>(
  where: string,
  what: string,
  value: string,
  choices: readonly Choice[],
): Choice {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw new TensorError(where, 'option', unknownName(what, value, choices));
  return found;
}
