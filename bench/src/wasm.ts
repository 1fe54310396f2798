/**
 * The wasm backend against what the machine can do: products against a loop of multiply-adds on registers, gathers
 * and segment sums against a copy, threads against one thread, every op against the reference.
 *
 * Only ratios of times from one run mean anything on a shared machine. Jobs that are compared take turns, and each
 * counts with its shortest time: on the processor where one thread computes, so that a busy machine does not count as
 * slow code, and on the clock where several do.
 */
import {
  add,
  gather,
  gruCell,
  matmul,
  parameter,
  referenceBackend,
  rowIndex,
  scope,
  segments,
  segmentSum,
  setBackend,
  sum,
  tensor,
  valueAndGrad,
  type Backend,
  type Tensor,
  type WasmBackend,
} from '@flowgrad/tensor';
import { benchCases, noise, noiseIds, sortedNoiseIds, type BenchCase } from '@flowgrad/tensor/bench';
import { openWasm } from '@flowgrad/tensor/node';

export interface Ratio {
  readonly what: string;
  /** How the figure came about: both sides of the ratio. */
  readonly how: string;
  readonly measured: number;
  readonly unit: '%' | '×' | 'ns';
  readonly bound: number;
  /** Whether the bound is the least or the most that is wanted. */
  readonly wanted: 'at least' | 'at most';
}

export function holds({ measured, bound, wanted }: Ratio): boolean {
  return wanted === 'at least' ? measured >= bound : measured <= bound;
}

export interface WasmBenchOptions {
  /** Turns that each job takes. */
  readonly rounds?: number;
  /** Ops whose name contains this, in the comparison with the reference. */
  readonly filter?: string;
  readonly onProgress?: (what: string) => void;
}

export async function benchWasm(options: WasmBenchOptions = {}): Promise<Ratio[]> {
  const { rounds = 30, filter = '', onProgress = () => undefined } = options;
  const one = await openWasm({ threads: 1, simd: 'plain' });
  const two = await openWasm({ threads: 2, simd: 'plain' });
  const all = await openWasm();
  try {
    const ratios = [];
    for (const [what, measureRatios] of Object.entries({
      products: () => products(one, two, rounds),
      'small calls': () => smallCalls(one, rounds),
      'rows by index': () => rowsByIndex(one, rounds),
      gruCell: () => gru(one, rounds),
    })) {
      onProgress(what);
      ratios.push(...measureRatios());
    }
    for (const [op, cases] of Object.entries(benchCases)) {
      if (!op.includes(filter)) continue;
      onProgress(op);
      ratios.push(againstReference(op, cases.at(-1)!, one, all));
    }
    return ratios;
  } finally {
    setBackend(undefined);
    await Promise.all([two, all].map((backend) => backend.close()));
  }
}

const ratio =
  (wanted: Ratio['wanted']) =>
  (bound: number, unit: Ratio['unit'], measured: number, what: string, how: string): Ratio => ({
    what,
    how,
    measured,
    unit,
    bound,
    wanted,
  });
const atLeast = ratio('at least');
const atMost = ratio('at most');

type Job = () => void;

interface Times {
  /** Milliseconds that pass. */
  readonly clock: number;
  /** Milliseconds of processor time that the whole process takes. */
  readonly processor: number;
}

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function time(job: Job): Times {
  const clock = performance.now();
  const processor = processorTime();
  // What a job makes is freed when it ends: a scope would keep what it returns.
  scope(() => {
    job();
  });
  return { processor: processorTime() - processor, clock: performance.now() - clock };
}

/** The shortest times of each job. They take turns, after each has run long enough to be compiled for good. */
function shortest<Name extends string>(
  rounds: number,
  jobs: Readonly<Record<Name, Job>>,
  warmUp = 1000,
): Record<Name, Times> {
  const entries = Object.entries(jobs) as [Name, Job][];
  for (const [, job] of entries) {
    for (let spent = 0; spent < warmUp;) spent += time(job).clock;
  }
  const best = {} as Record<Name, Times>;
  for (let round = 0; round < rounds; round++) {
    for (const [name, job] of entries) {
      const { clock, processor } = time(job);
      const known = best[name] as Times | undefined;
      best[name] = {
        clock: Math.min(known?.clock ?? Infinity, clock),
        processor: Math.min(known?.processor ?? Infinity, processor),
      };
    }
  }
  return best;
}

function upload({ data, shape, dtype }: ReturnType<typeof noise>): Tensor {
  return tensor(data, { shape, dtype });
}

function on<T>(backend: Backend, fn: () => T): T {
  setBackend(backend);
  return fn();
}

/** A job of `repetitions` · 13 · 4 multiply-adds on registers. */
function peak(backend: WasmBackend, repetitions: number): { readonly job: Job; readonly flops: number } {
  const buffer = backend.allocate('float32', 16);
  backend.write(buffer, new Float32Array(16));
  const job = (): void => {
    backend.launch('peakMultiplyAdd', repetitions, 0, { result: buffer.pointer });
  };
  return { job, flops: repetitions * 13 * 8 };
}

const rate = (flops: number, milliseconds: number): number => flops / milliseconds / 1e6;
const gigaflops = (value: number): string => `${value.toFixed(1)} GFLOP/s`;

/** How many cores the machine gave: where these are fewer than the threads, the clock measures others' work too. */
const cores = ({ clock, processor }: Times): string => `${(processor / clock).toFixed(1)} cores`;

function products(one: WasmBackend, two: WasmBackend, rounds: number): Ratio[] {
  const { job, flops } = peak(one, 400_000);
  return [
    [14736, 40, 360],
    [14736, 120, 80],
  ].flatMap(([n, k, m]) =>
    scope(() => {
      const multiply = (backend: WasmBackend): Job =>
        on(backend, () => {
          const [a, b] = [upload(noise([n, k])), upload(noise([k, m]))];
          return () => matmul(a, b);
        });
      const jobs = { peak: job, one: multiply(one), two: multiply(two) };
      // Two cores that are free at once are rare on a shared machine, the more so the longer the job.
      const times = shortest(5 * rounds, jobs);
      const work = 2 * n * k * m;
      const [top, single] = [rate(flops, times.peak.processor), rate(work, times.one.processor)];
      const [alone, together] = [rate(work, times.one.clock), rate(work, times.two.clock)];
      const name = `[${n}, ${k}] × [${k}, ${m}]`;
      return [
        atLeast(
          60,
          '%',
          (100 * single) / top,
          `product ${name}, 1 thread, plain SIMD`,
          `${gigaflops(single)} of ${gigaflops(top)}`,
        ),
        atLeast(
          1.7,
          '×',
          together / alone,
          `product ${name}, 2 threads`,
          `${gigaflops(together)} on ${cores(times.two)} against ${gigaflops(alone)} on ${cores(times.one)}`,
        ),
      ];
    }),
  );
}

/** Calls as a user makes them, one after the other in a scope: what is done around a kernel counts here. */
function smallCalls(one: WasmBackend, rounds: number): Ratio[] {
  return scope(() => {
    setBackend(one);
    const { job, flops } = peak(one, 40_000);
    const calls = 200;
    const repeated =
      (call: () => Tensor): Job =>
      () => {
        for (let i = 0; i < calls; i++) call();
      };
    const square = (n: number): Job => {
      const [a, b] = [upload(noise([n, n])), upload(noise([n, n]))];
      return repeated(() => matmul(a, b));
    };
    const x = upload(noise([1]));
    const times = shortest(rounds, {
      peak: job,
      n64: square(64),
      n32: square(32),
      add: repeated(() => add(x, x)),
    });
    const top = rate(flops, times.peak.processor);
    const perCall = (times.add.processor / calls) * 1e6;
    return [
      ...([64, 32] as const).map((n) => {
        const reached = rate(calls * 2 * n ** 3, times[`n${n}` as const].processor);
        return atLeast(
          40,
          '%',
          (100 * reached) / top,
          `product n = ${n}, 1 thread, plain SIMD`,
          `${gigaflops(reached)} of ${gigaflops(top)}`,
        );
      }),
      atMost(
        2000,
        'ns',
        perCall,
        'add of 1 value, a call',
        `${calls} calls in ${times.add.processor.toFixed(3)} ms`,
      ),
    ];
  });
}

function rowsByIndex(one: WasmBackend, rounds: number): Ratio[] {
  return scope(() => {
    setBackend(one);
    const [edges, nodes, d] = [115_000, 14_736, 40];
    const x = upload(noise([nodes, d]));
    const messages = upload(noise([edges, d]));
    const senders = rowIndex(noiseIds(edges, nodes), nodes);
    const receivers = segments(sortedNoiseIds(edges, nodes), nodes);
    const [from, to] = [one.allocate('float32', edges * d), one.allocate('float32', edges * d)];
    one.write(from, new Float32Array(edges * d).fill(1));
    const times = shortest(rounds, {
      copy: () => {
        one.launch('peakCopy', (edges * d) / 16, 0, { from: from.pointer, to: to.pointer });
      },
      gather: () => gather(x, senders),
      segmentSum: () => segmentSum(messages, receivers),
    });
    one.free(from);
    one.free(to);
    return (['gather', 'segmentSum'] as const).map((op) =>
      atLeast(
        50,
        '%',
        (100 * times.copy.processor) / times[op].processor,
        `${op} of [115000, 40], 1 thread, against a copy`,
        `${times[op].processor.toFixed(2)} ms against ${times.copy.processor.toFixed(2)} ms`,
      ),
    );
  });
}

function gru(one: WasmBackend, rounds: number): Ratio[] {
  return scope(() => {
    setBackend(one);
    const [rows, inputs, d] = [14_736, 80, 40];
    const weight = (...shape: number[]): Tensor => parameter(upload(noise(shape, -0.1, 0.1)));
    const [x, h] = [weight(rows, inputs), weight(rows, d)];
    const weights = {
      gateWeight: weight(inputs + d, 2 * d),
      gateBias: weight(2 * d),
      candidateWeight: weight(inputs + d, d),
      candidateBias: weight(d),
    };
    const both = upload(noise([rows, inputs + d]));
    const [dgates, dcandidate] = [upload(noise([rows, 2 * d])), upload(noise([rows, d]))];
    const { gateWeight, candidateWeight } = weights;
    const times = shortest(rounds, {
      cell: () => valueAndGrad(() => sum(gruCell(x, h, weights))),
      products: () => {
        matmul(both, gateWeight);
        matmul(both, candidateWeight);
        for (const [dout, w] of [
          [dgates, gateWeight],
          [dcandidate, candidateWeight],
        ]) {
          matmul(dout, w, { transposeB: true });
          matmul(both, dout, { transposeA: true });
        }
      },
    });
    return [
      atMost(
        1.5,
        '×',
        times.cell.processor / times.products.processor,
        'gruCell forward + backward, 14736 rows, against its matrix products',
        `${times.cell.processor.toFixed(1)} ms against ${times.products.processor.toFixed(1)} ms`,
      ),
    ];
  });
}

/**
 * The largest bench case on the reference and on wasm, for which the better of two figures counts: the processor time
 * of one thread, and the clock with all threads, which on a busy machine can only be too long.
 */
function againstReference(op: string, bench: BenchCase, one: WasmBackend, all: WasmBackend): Ratio {
  const timesOn = (backend: Backend, rounds: number, warmUp: number): Times =>
    on(backend, () =>
      scope(() => {
        const inputs = bench.inputs().map(upload);
        const run = bench.prepare();
        return shortest(rounds, { run: () => void run(inputs) }, warmUp).run;
      }),
    );
  const fast = Math.min(timesOn(one, 20, 300).processor, timesOn(all, 40, 300).clock);
  const slow = timesOn(referenceBackend(), 2, 1).processor;
  return atLeast(
    8,
    '×',
    slow / fast,
    `${op}, ${bench.name}, against the reference`,
    `${fast.toFixed(3)} ms against ${slow.toFixed(1)} ms`,
  );
}
