/** What a step cost, kernel by kernel: as data, as a table, as a Chrome trace. */
import { formatTable } from '../../core/format.ts';

/** One dispatch of a kernel, and what it cost. */
export interface ProfiledDispatch {
  readonly op: string;
  readonly kernel: string;
  /** Read and written, as if each tensor went through once. */
  readonly bytes: number;
  readonly flops: number;
  /** Microseconds since the first dispatch; absent without `timestamp-query`. */
  readonly start?: number;
  readonly duration?: number;
}

/** The dispatches of one kernel, added up. */
export interface ProfiledKernel {
  readonly kernel: string;
  readonly dispatches: number;
  readonly bytes: number;
  readonly flops: number;
  /** Microseconds altogether; absent without `timestamp-query`. */
  readonly duration?: number;
}

/** A trace in the format that chrome://tracing and Perfetto open. */
export interface ChromeTrace {
  readonly traceEvents: readonly {
    readonly name: string;
    readonly cat: string;
    readonly ph: 'X';
    readonly ts: number;
    readonly dur: number;
    readonly pid: number;
    readonly tid: number;
    readonly args: Readonly<Record<string, number | string>>;
  }[];
  readonly displayTimeUnit: 'ms';
}

/** What the kernels of a step cost: every dispatch in order, sums by kernel, a trace for Chrome's viewer. */
export class Profile {
  readonly dispatches: readonly ProfiledDispatch[];
  readonly hasTimes: boolean;

  constructor(dispatches: readonly ProfiledDispatch[], hasTimes: boolean) {
    this.dispatches = dispatches;
    this.hasTimes = hasTimes;
  }

  /** Totals by kernel, the costliest first. */
  kernels(): ProfiledKernel[] {
    const totals = new Map<string, ProfiledKernel>();
    for (const { kernel, bytes, flops, duration } of this.dispatches) {
      const sum = totals.get(kernel);
      totals.set(kernel, {
        kernel,
        dispatches: (sum?.dispatches ?? 0) + 1,
        bytes: (sum?.bytes ?? 0) + bytes,
        flops: (sum?.flops ?? 0) + flops,
        ...(duration !== undefined && { duration: (sum?.duration ?? 0) + duration }),
      });
    }
    return [...totals.values()].sort((a, b) => (b.duration ?? b.bytes) - (a.duration ?? a.bytes));
  }

  /** Kernels with their counts, megabytes and megaflops; with times also milliseconds and rates. */
  toString(): string {
    const head = ['kernel', 'dispatches', 'MB', 'MFLOP', ...(this.hasTimes ? ['ms', 'GB/s', 'GFLOP/s'] : [])];
    const rows = this.kernels().map(({ kernel, dispatches, bytes, flops, duration = 0 }) => {
      const perSecond = (amount: number): string =>
        duration > 0 ? (amount / duration / 1e3).toFixed(2) : '·';
      const times = [(duration / 1e3).toFixed(3), perSecond(bytes), perSecond(flops)];
      const counts = [String(dispatches), (bytes / 1e6).toFixed(3), (flops / 1e6).toFixed(3)];
      return [kernel, ...counts, ...(this.hasTimes ? times : [])];
    });
    return formatTable([head, ...rows], (column) => column > 0);
  }

  /** Without times, dispatches stand one microsecond apart, in order. */
  toChromeTrace(): ChromeTrace {
    return {
      displayTimeUnit: 'ms',
      traceEvents: this.dispatches.map(({ op, kernel, bytes, flops, start, duration }, i) => ({
        name: kernel,
        cat: 'kernel',
        ph: 'X',
        ts: start ?? i,
        dur: duration ?? 1,
        pid: 1,
        tid: 1,
        args: { op, bytes, flops },
      })),
    };
  }
}
