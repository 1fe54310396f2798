/**
 * Pooling allocation inside one linear memory. Freed blocks are kept by size and handed out again; only when neither
 * they nor fresh memory will do are neighbours joined into larger pieces.
 */
import { TensorError } from '../../core/errors.ts';

/** Blocks start and end on cache lines: vectors are aligned, and threads never write to one line. */
export const alignment = 64;

/** At most an eighth is lost to rounding: sizes are the eight steps between powers of two, multiples of 64. */
export function blockSize(bytes: number): number {
  if (bytes <= 512) return Math.max(alignment, Math.ceil(bytes / alignment) * alignment);
  // An eighth of the power of two below; 2³² bytes and more are refused, whatever they are rounded to.
  const step = 1 << (28 - Math.clz32(Math.min(bytes, 2 ** 32 - 1)));
  return Math.ceil(bytes / step) * step;
}

interface Span {
  start: number;
  size: number;
}

export interface AllocatorOptions {
  readonly start: number;
  /** The most that memory can grow to, in bytes. */
  readonly limit: number;
  /** Makes memory reach at least to `end`, if it can; returns where it now ends. */
  grow(end: number): number;
}

export class Allocator {
  readonly #options: AllocatorOptions;
  readonly #free = new Map<number, number[]>();
  #spans: Span[] = [];
  /** Everything from here on was never handed out. */
  #top: number;
  #end: number;
  #inUse = 0;
  #peak = 0;
  /** What lies freed, in blocks and spans. */
  #idle = 0;

  constructor(options: AllocatorOptions) {
    this.#options = options;
    this.#top = options.start;
    this.#end = options.grow(options.start);
  }

  /** Bytes handed out, after rounding. */
  get inUse(): number {
    return this.#inUse;
  }

  /** The most bytes that were handed out at one time. */
  get peak(): number {
    return this.#peak;
  }

  /** How far memory has been used so far. */
  get highWater(): number {
    return this.#top;
  }

  allocate(bytes: number): number {
    const size = blockSize(bytes);
    const known = this.#free.get(size)?.pop();
    const pointer = known ?? this.#fresh(size, bytes);
    if (known !== undefined) this.#idle -= size;
    this.#inUse += size;
    this.#peak = Math.max(this.#peak, this.#inUse);
    return pointer;
  }

  /** `bytes` as they were asked for. */
  free(pointer: number, bytes: number): void {
    const size = blockSize(bytes);
    const list = this.#free.get(size);
    if (list) list.push(pointer);
    else this.#free.set(size, [pointer]);
    this.#inUse -= size;
    this.#idle += size;
  }

  #fresh(size: number, bytes: number): number {
    const pointer = this.#carve(size) ?? this.#extend(size, this.#end);
    if (pointer !== undefined) return pointer;
    // Growing is cheap, but memory that lies idle should not pile up in sizes that nobody asks for any more.
    const wasteful = this.#idle > this.#end / 4;
    if (wasteful) this.#join();
    const found = (wasteful ? this.#carve(size) : undefined) ?? this.#extend(size, this.#options.limit);
    if (found !== undefined) return found;
    this.#join();
    const last = this.#carve(size) ?? this.#extend(size, this.#end);
    if (last !== undefined) return last;
    throw new TensorError(
      'allocate',
      'memory',
      `expected room for ${show(bytes)}, got ${show(this.#inUse)} in use and ${show(this.#idle)} free, ` +
        `none of it in one piece of that size, of at most ${show(this.#options.limit)} ` +
        '(free tensors with scope(), or make the batch smaller)',
    );
  }

  /** From the end of what was handed out, if memory reaches or can be grown to `limit`. */
  #extend(size: number, limit: number): number | undefined {
    const end = this.#top + size;
    if (end > limit) return undefined;
    if (end > this.#end) this.#end = this.#options.grow(end);
    if (end > this.#end) return undefined;
    const pointer = this.#top;
    this.#top = end;
    return pointer;
  }

  #carve(size: number): number | undefined {
    const index = this.#spans.findIndex((span) => span.size >= size);
    if (index < 0) return undefined;
    const span = this.#spans[index];
    const pointer = span.start;
    span.start += size;
    span.size -= size;
    if (span.size === 0) this.#spans.splice(index, 1);
    this.#idle -= size;
    return pointer;
  }

  /** Turns all that is free into as few spans as possible. */
  #join(): void {
    const pieces = [...this.#spans];
    for (const [size, pointers] of this.#free) {
      for (const start of pointers) pieces.push({ start, size });
    }
    this.#free.clear();
    this.#spans = [];
    pieces.sort((a, b) => a.start - b.start);
    for (const piece of pieces) {
      const previous = this.#spans.at(-1);
      if (previous && previous.start + previous.size === piece.start) previous.size += piece.size;
      else this.#spans.push({ ...piece });
    }
    const last = this.#spans.at(-1);
    if (last && last.start + last.size === this.#top) {
      this.#top = last.start;
      this.#idle -= last.size;
      this.#spans.pop();
    }
  }
}

function show(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB'];
  const unit = bytes < 1024 ? 0 : Math.min(3, Math.floor(Math.log2(bytes) / 10));
  return `${Number((bytes / 1024 ** unit).toFixed(1))} ${units[unit]}`;
}
