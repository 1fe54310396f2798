/**
 * A backend that watches the kernels of another: what they leave unwritten, write past the end, or overwrite of what
 * they were only to read. Values are the same as without it, bit for bit.
 */
import type { Backend, DeviceBuffer, KernelCall, KernelTensor } from '../core/backend.ts';
import type { DataArray, DType } from '../core/dtype.ts';
import type { AnyOp } from '../core/op.ts';
import { mapValues } from '../core/operands.ts';
import type { Named } from '../core/operands.ts';

/** Outputs hold it before their kernel runs: a value that no case computes. */
const poison: Readonly<Record<DType, number>> = {
  float32: Math.fround(-3.0517e33),
  int32: 0x5ea_0bad,
  bool: 0x5ea_0bad,
};

/** Kernels may store whole vectors: up to the next multiple of so many values belongs to them. */
const units: Readonly<Record<string, number>> = { webgpu: 4, wasm: 16 };

/** So many values behind the end are watched. */
const zone = 256;

export class WatchedBackend implements Backend {
  readonly name: string;
  readonly device: Backend['device'];
  readonly #inner: Backend;
  /** Of other backends it is not known how to lend a part of a buffer, so theirs have no zone behind the end. */
  readonly #unit: number | undefined;
  /** The whole of each buffer that was lent, with the zone behind its end. */
  readonly #whole = new Map<DeviceBuffer, DeviceBuffer>();
  /** What buffers hold that were read after a kernel ran. */
  readonly #held = new Map<DeviceBuffer, Promise<DataArray>>();
  readonly #audits: Promise<void>[] = [];

  constructor(inner: Backend) {
    this.#inner = inner;
    this.name = inner.name;
    this.device = inner.device;
    this.#unit = units[inner.name];
  }

  allocate(dtype: DType, length: number, op?: string): DeviceBuffer {
    const room = this.#unit === undefined ? length : roundUp(length, this.#unit) + zone;
    const whole = this.#inner.allocate(dtype, room, op);
    this.#inner.write(whole, new Float64Array(room).fill(poison[dtype]));
    const lent = { ...whole, length };
    this.#whole.set(lent, whole);
    return lent;
  }

  free(buffer: DeviceBuffer): void {
    this.#inner.free(this.#whole.get(buffer)!);
    this.#whole.delete(buffer);
    this.#held.delete(buffer);
  }

  write(buffer: DeviceBuffer, values: ArrayLike<number>): void {
    this.#inner.write(buffer, values);
    this.#held.set(buffer, this.#valuesOf(buffer, values));
  }

  copy(from: DeviceBuffer, to: DeviceBuffer): void {
    this.#inner.copy(from, to);
    this.#held.delete(to);
  }

  read(buffer: DeviceBuffer): Promise<DataArray> {
    return this.#inner.read(buffer);
  }

  synchronise(): Promise<void> {
    return this.#inner.synchronise();
  }

  run(call: KernelCall): void {
    const { op, operands, outputs } = call;
    const given = namedBuffers(op, op.names.operands, operands);
    const before = given.map(({ buffer }) => this.#held.get(buffer) ?? this.#inner.read(buffer));
    this.#inner.run(call);
    for (const [k, { name, buffer, isMutated }] of given.entries()) {
      const whole = this.#readWhole(buffer);
      if (isMutated) this.#watch(auditEnd(name, buffer, this.#unit, whole));
      else this.#watch(auditInput(name, before[k], this.#held.get(buffer)!));
    }
    for (const { name, buffer } of namedBuffers(op, op.names.outputs, outputs)) {
      const whole = this.#readWhole(buffer);
      this.#watch(auditOutput(name, buffer.dtype, this.#held.get(buffer)!));
      this.#watch(auditEnd(name, buffer, this.#unit, whole));
    }
  }

  /** Waits until everything watched has been looked at; rejects with the first thing found. */
  async finish(): Promise<void> {
    await Promise.all(this.#audits.splice(0));
  }

  #watch(audit: Promise<void>): void {
    // Whoever calls finish() hears of it; until then nobody may be listening.
    audit.catch(() => undefined);
    this.#audits.push(audit);
  }

  /** With the zone behind its end; what the buffer itself holds is remembered. */
  #readWhole(buffer: DeviceBuffer): Promise<DataArray> {
    const whole = this.#inner.read(this.#whole.get(buffer)!);
    this.#held.set(
      buffer,
      whole.then((values) => values.subarray(0, buffer.length)),
    );
    return whole;
  }

  #valuesOf(buffer: DeviceBuffer, written: ArrayLike<number>): Promise<DataArray> {
    const stored = this.#inner.readNow?.(buffer);
    return Promise.resolve(stored ?? (buffer.dtype === 'float32' ? Float32Array : Int32Array).from(written));
  }
}

interface NamedBuffer {
  readonly name: string;
  readonly buffer: DeviceBuffer;
  readonly isMutated: boolean;
}

/** What a call reads or writes, by name; of an index, its lists. */
function namedBuffers(
  { name: op, names: { mutates } }: AnyOp,
  names: readonly Named[],
  values: KernelCall['operands'],
): NamedBuffer[] {
  const list: NamedBuffer[] = [];
  const add = (name: string, { buffer }: KernelTensor): void => {
    list.push({ name: `${op}: ${name}`, buffer, isMutated: mutates?.includes(name) === true });
  };
  mapValues(
    names,
    values,
    (tensor, name) => {
      add(name, tensor);
    },
    ({ ids, offsets, order }, name) => {
      for (const [which, tensor] of Object.entries({ ids, offsets, order })) add(`${name}.${which}`, tensor);
    },
  );
  return list;
}

async function auditEnd(
  name: string,
  { dtype, length }: DeviceBuffer,
  unit = 1,
  read: Promise<DataArray>,
): Promise<void> {
  const values = await read;
  const isWritten = (i: number): boolean => values[i] !== poison[dtype];
  const limit = roundUp(length, unit);
  const stray: number[] = [];
  for (let i = length; i < values.length; i++) {
    // Inside the unit a whole vector of four may be stored, but no part of one.
    const isStored = i < limit && wholeFour(i, length).every(isWritten);
    if (isWritten(i) && !isStored) stray.push(i);
  }
  if (stray.length === 0) return;
  throw new Error(
    `${name} has ${length} values, and its kernel wrote past them: ${stray.length} more, the first at ${stray[0]}`,
  );
}

async function auditOutput(name: string, dtype: DType, read: Promise<DataArray>): Promise<void> {
  const values = await read;
  const first = values.indexOf(poison[dtype]);
  if (first < 0) return;
  const count = values.filter((value) => value === poison[dtype]).length;
  throw new Error(
    `${name} has ${count} of ${values.length} values that its kernel never wrote, the first at ${first}`,
  );
}

async function auditInput(name: string, read: Promise<DataArray>, again: Promise<DataArray>): Promise<void> {
  const [before, after] = await Promise.all([read, again]);
  const at = before.findIndex((value, i) => !Object.is(value, after[i]));
  if (at < 0) return;
  throw new Error(
    `${name} was overwritten at ${at}: ${before[at]} became ${after[at]} (say so in mutates, or write to an output)`,
  );
}

const roundUp = (length: number, unit: number): number => Math.ceil(length / unit) * unit;

/** The places from `length` on that lie in the same four as `i`. */
function wholeFour(i: number, length: number): number[] {
  const start = i - (i % 4);
  return [start, start + 1, start + 2, start + 3].filter((place) => place >= length);
}
