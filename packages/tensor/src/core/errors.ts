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

/** Raises for options that a function does not know, so that a misspelt one is never ignored. */
export function rejectUnknownOptions(op: string, options: object, known: readonly string[]): void {
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) {
      const choices = known.length > 0 ? `among {${known.join(', ')}}` : 'among none';
      throw new TensorError(op, 'option', `could not resolve option '${key}' ${choices}`);
    }
  }
}
