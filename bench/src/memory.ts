/** The memory that training takes: every model, both sizes of the paper, both plans. */
import { modelNames, type ModelName } from '@flowgrad/models';
import type { WasmMemoryUse } from '@flowgrad/tensor';
import { onFreshWasm } from './backends.ts';
import { formatTable } from './table.ts';
import {
  createStepWorld,
  createTraining,
  worlds,
  type Layout,
  type StepFigures,
  type StepWorld,
} from './training-step.ts';

/** Bytes that linear memory may grow to. */
export const memoryBars: Readonly<Record<Layout, number>> = { cone: 1e9, dense: 3e9 };

export interface MemoryBenchOptions {
  /** Models whose name contains this. */
  readonly filter: string;
  readonly onProgress: (what: string) => void;
}

type StepMemory = WasmMemoryUse & Pick<StepFigures, 'bytes' | 'isDense'>;

/** Whole steps on as many batches: cones differ in size, and so do the holes that a step leaves for the next. */
const batches = 3;

/** Linear memory never shrinks: its size at the end is the peak. */
function measureTraining(world: StepWorld, name: ModelName, layout: Layout): Promise<StepMemory> {
  return onFreshWasm(async (backend) => {
    const training = createTraining(world, name, layout);
    const steps: StepFigures[] = [];
    for (let run = 0; run < batches; run++) {
      steps.push(training.step(run));
      await backend.synchronise();
    }
    training.dispose();
    const bytes = Math.max(...steps.map((step) => step.bytes));
    return { ...backend.memory, bytes, isDense: steps[0].isDense };
  });
}

export async function benchMemory({ filter, onProgress }: MemoryBenchOptions): Promise<string> {
  const rows: string[][] = [];
  for (const size of Object.keys(worlds) as (keyof typeof worlds)[]) {
    const world = createStepWorld(size);
    for (const name of modelNames.filter((known) => known.includes(filter))) {
      for (const layout of ['cone', 'dense'] as const) {
        onProgress(`${size} ${name} ${layout}`);
        rows.push([size, name, ...memoryRow(layout, await measureTraining(world, name, layout))]);
      }
    }
  }
  const header = ['size', 'model', 'plan', 'after forward', 'peak', 'linear memory', 'wanted', 'holds'];
  const holding = rows.filter((row) => row.at(-1) === 'yes').length;
  return `${formatTable(header, rows)}\n\n${holding} of ${rows.length} hold.`;
}

function memoryRow(layout: Layout, of: StepMemory): string[] {
  const bar = memoryBars[layout];
  const plan = of.isDense && layout === 'cone' ? 'cone (all rows)' : layout;
  return [
    plan,
    megabytes(of.bytes),
    megabytes(of.peak),
    megabytes(of.size),
    `< ${megabytes(bar)}`,
    of.size < bar ? 'yes' : 'NO',
  ];
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
