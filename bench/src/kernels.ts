/** Times every op's kernel at its bench sizes, with npm `benchmark`, against a copy on the same backend. */
import { scope, setBackend, tensor, type Backend } from '@flowgrad/tensor';
import { benchCases, type BenchCase } from '@flowgrad/tensor/bench';
import Benchmark from 'benchmark';

export interface KernelTiming {
  readonly op: string;
  readonly size: string;
  readonly seconds: number;
  /** GFLOP/s for ops bound by arithmetic, else undefined. */
  readonly gigaflops: number | undefined;
  readonly gigabytes: number;
  /** Bandwidth as a share of what copying the largest matrix reaches on this backend in this run. */
  readonly ofCopy: number;
}

export interface KernelBenchOptions {
  /** Ops whose name contains this. */
  readonly filter?: string;
  /** Only the largest size of each op. */
  readonly largestOnly?: boolean;
  /** Seconds given to each case. */
  readonly seconds?: number;
  readonly onTiming?: (timing: KernelTiming) => void;
}

/** Values in the largest matrix of the cases, [14736, 40]. */
const copied = 14_736 * 40;

export async function benchKernels(
  backend: Backend,
  { filter = '', largestOnly = false, seconds = 0.2, onTiming }: KernelBenchOptions = {},
): Promise<KernelTiming[]> {
  const copyBandwidth = (copied * 8) / (await timeCopy(backend, seconds));
  const timings: KernelTiming[] = [];
  for (const [op, cases] of Object.entries(benchCases)) {
    if (!op.includes(filter)) continue;
    for (const bench of largestOnly ? cases.slice(-1) : cases) {
      const time = await timeCase(backend, bench, seconds);
      const timing = {
        op,
        size: bench.name,
        seconds: time,
        gigaflops: bench.flops === undefined ? undefined : bench.flops / time / 1e9,
        gigabytes: bench.bytes / time / 1e9,
        ofCopy: bench.bytes / time / copyBandwidth,
      };
      onTiming?.(timing);
      timings.push(timing);
    }
  }
  return timings;
}

async function timeCopy(backend: Backend, seconds: number): Promise<number> {
  const [from, to] = [backend.allocate('float32', copied), backend.allocate('float32', copied)];
  backend.write(from, new Float32Array(copied));
  try {
    return await meanTime(async () => {
      backend.copy(from, to);
      await backend.synchronise();
    }, seconds);
  } finally {
    backend.free(from);
    backend.free(to);
  }
}

/** Seconds of one run, the mean over the samples that `benchmark` takes. */
async function timeCase(backend: Backend, bench: BenchCase, seconds: number): Promise<number> {
  const previous = setBackend(backend);
  const prepared = scope('bench case');
  try {
    const inputs = bench.inputs().map(({ data, shape, dtype }) => tensor(data, { shape, dtype }));
    const run = bench.prepare();
    return await meanTime(async () => {
      scope(() => {
        run(inputs);
      });
      await backend.synchronise();
    }, seconds);
  } finally {
    prepared.dispose();
    setBackend(previous);
  }
}

function meanTime(job: () => Promise<void>, maxTime: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const suite = new Benchmark({
      defer: true,
      maxTime,
      minSamples: 3,
      minTime: maxTime / 10,
      fn: (deferred: { resolve: () => void }) => {
        job().then(() => {
          deferred.resolve();
        }, reject);
      },
      onComplete: () => {
        resolve(suite.stats.mean);
      },
    });
    suite.run({ async: true });
  });
}
