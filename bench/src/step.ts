/** Training steps of six models on both plans, and how far that is from what the products alone would take. */
import { matmul, normal, randomKey, scope, type Backend } from '@flowgrad/tensor';
import { openWebGpu } from '@flowgrad/tensor/node';
import type { ModelName } from '@flowgrad/models';
import { onFreshWasm } from './backends.ts';
import { megabytes, memoryBars } from './memory.ts';
import { formatTable } from './table.ts';
import { countDispatches, createStepWorld, timeStep } from './training-step.ts';
import type { Layout, StepTiming, StepWorld, worlds } from './training-step.ts';

export const stepModels = [
  'GGNN',
  'GGNN-MulMlp',
  'GAT-MulMlp',
  'FullGN-MulMlp',
  'RW-Dynamic',
  'RW-Stationary',
] as const satisfies readonly ModelName[];

export interface StepBenchOptions {
  readonly size: keyof typeof worlds;
  /** Models whose name contains this. */
  readonly filter: string;
  readonly runs: number;
  readonly onProgress: (what: string) => void;
}

/** The model whose WebGPU dispatches are counted, and the most per time step: forward, backward and Adam. */
const counted: ModelName = 'GGNN-MulMlp';
const mostDispatches = 40;

/** What is known of a model on a plan. */
interface Measured extends StepTiming {
  /** WebGPU dispatches of the whole step, divided by its number of time steps T; where they are counted. */
  readonly dispatches: number | undefined;
}

/** GFLOP/s of the product [14736, 40] × [40, 120], the best of some. */
async function productRate(backend: Backend): Promise<number> {
  const [n, k, m] = [14736, 40, 120];
  let best = Infinity;
  const inputs = scope('product');
  const [a, b] = [normal(randomKey(1), [n, k]), normal(randomKey(2), [k, m])];
  for (let run = 0; run < 30; run++) {
    const start = performance.now();
    scope(() => void matmul(a, b));
    await backend.synchronise();
    best = Math.min(best, performance.now() - start);
  }
  inputs.dispose();
  return (2 * n * k * m) / best / 1e6;
}

export async function benchSteps({ size, filter, runs, onProgress }: StepBenchOptions): Promise<string> {
  const world = createStepWorld(size);
  const rate = await onFreshWasm(productRate);
  const timings = new Map<string, Measured>();
  for (const name of stepModels) {
    if (!name.includes(filter)) continue;
    for (const layout of ['cone', 'dense'] as const) {
      onProgress(`${name} ${layout}`);
      const timing = await onFreshWasm((backend) => timeStep(backend, world, name, layout, runs));
      const dispatches = name === counted ? await dispatchesPerTime(world, layout) : undefined;
      timings.set(`${name} ${layout}`, { ...timing, dispatches });
    }
  }
  const rows = [...timings].map(([what, timing]) => stepRow(what, timing));
  const header = [
    'model',
    'plan',
    'step',
    'median',
    'planning',
    'live',
    'memory',
    'rows',
    'dispatches / t',
    'products',
  ];
  const product = `product [14736, 40] × [40, 120]: ${rate.toFixed(1)} GFLOP/s, 2 threads\n`;
  return [product, formatTable(header, rows), '', ...verdicts(timings, rate)].join('\n');
}

/** On a device of its own, which is closed again before anything is timed. */
async function dispatchesPerTime(world: StepWorld, layout: Layout): Promise<number> {
  const backend = await openWebGpu();
  try {
    return (await countDispatches(backend, world, counted, layout)) / world.steps;
  } finally {
    await backend.close();
  }
}

function stepRow(what: string, timing: Measured): string[] {
  const [name, layout] = what.split(' ');
  return [
    name,
    layout,
    `${timing.shortest.toFixed(0)} ms`,
    `${timing.median.toFixed(0)} ms`,
    `${((100 * timing.planning) / timing.median).toFixed(1)} %`,
    megabytes(timing.bytes),
    megabytes(timing.memory),
    String(timing.rows),
    timing.dispatches?.toFixed(1) ?? '',
    `${(timing.flops / 1e9).toFixed(2)} GFLOP`,
  ];
}

/** What is asked of a step, beside what was measured. */
function verdicts(timings: ReadonlyMap<string, Measured>, rate: number): string[] {
  const of = (name: ModelName, layout: Layout): Measured | undefined => timings.get(`${name} ${layout}`);
  const line = (what: string, measured: number, bound: number, unit: string): string =>
    `${what}: ${measured.toFixed(unit === '%' ? 0 : 1)} ${unit}, wanted at least ${bound} ${unit}: ` +
    (measured >= bound ? 'holds' : 'DOES NOT HOLD');
  const lines: string[] = [];
  const dense = of('GGNN-MulMlp', 'dense');
  if (dense) {
    const share = (100 * (dense.flops / 1e6 / dense.shortest)) / rate;
    lines.push(line('GGNN-MulMlp dense, its products against the product benchmark', share, 35, '%'));
  }
  for (const [name, bound] of [
    ['GGNN-MulMlp', 4],
    ['GGNN', 2.5],
  ] as const) {
    const [slow, fast] = [of(name, 'dense'), of(name, 'cone')];
    if (slow && fast)
      lines.push(line(`${name}, cone against dense`, slow.shortest / fast.shortest, bound, '×'));
  }
  for (const [what, timing] of timings) {
    const bar = memoryBars[what.split(' ')[1] as Layout];
    if (timing.memory >= bar) {
      lines.push(`${what}: ${megabytes(timing.memory)}, wanted below ${megabytes(bar)}: DOES NOT HOLD`);
    }
    const share = (100 * timing.planning) / timing.median;
    if (share >= 5)
      lines.push(`${what}: planning takes ${share.toFixed(1)} %, wanted below 5 %: DOES NOT HOLD`);
  }
  for (const layout of ['cone', 'dense'] as const) {
    const dispatches = of(counted, layout)?.dispatches;
    if (dispatches === undefined) continue;
    const holds = dispatches <= mostDispatches ? 'holds' : 'DOES NOT HOLD';
    lines.push(
      `${counted} ${layout}, WebGPU dispatches of a step / its T: ${dispatches.toFixed(1)}, ` +
        `wanted at most ${mostDispatches}: ${holds}`,
    );
  }
  return lines;
}
