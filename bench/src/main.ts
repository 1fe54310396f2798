/** `npm run bench -- kernels --backend reference --filter matmul` */
import { parseArgs } from 'node:util';
import { replaceFile } from '@flowgrad/files/node';
import { unknownName } from '@flowgrad/tensor';
import { openBackend } from './backends.ts';
import { benchData } from './data.ts';
import { benchEpochs, type EpochBenchOptions } from './epochs.ts';
import { benchKernels, type KernelTiming } from './kernels.ts';
import { benchLayers } from './layers.ts';
import { describeMachine } from './machine.ts';
import { benchMemory } from './memory.ts';
import { scaleDrawing } from './scale-drawing.ts';
import { benchScale, scaleReport } from './scale.ts';
import { benchSteps } from './step.ts';
import { benchSweeps } from './sweeps.ts';
import { formatTable } from './table.ts';
import { worlds } from './training-step.ts';
import { benchWasm, holds, type Ratio } from './wasm.ts';

const usage = `Usage: npm run bench -- kernels|wasm|step|epochs|memory|layers|scale|data|sweeps [options]

  kernels             every op's kernel at its bench sizes
  wasm                the wasm backend against what the machine can do, and against the reference
  step                training steps of models on both plans, wasm with two threads
  epochs              seconds of an epoch and of the evaluation after it, all of the paper's models, one thread
  memory              what a training step of every model takes, at both sizes and on both plans
  layers              a weighted GCN layer on 50,000 nodes and 1 M edges, as an edge expression and by hand
  scale               training steps on graphs of 10,000 to 1,000,000 nodes
  data                a dataset folder of a million lines, read
  sweeps              a sweep on PostgreSQL beside train in a row, and what one server does in a second

  --backend NAME      which backend (default reference)
  --filter TEXT       only ops (or models) whose name contains TEXT
  --largest           only the largest size of each op
  --seconds N         time given to each case (default 0.2)
  --size NAME         the world of the training steps: SZ32 (default) or SZ64
  --runs N            runs of each training step or layer, batches of each epoch (default 5)
  --group NAME        what epochs are on (default HISTORY-SZ32-STP16-NDRP-STD0.2)
  --before FOLDER     another checkout, built, whose epochs are measured beside ours
  --svg FILE          draws what scale measured
  --help              this text`;

function row({ op, size, seconds, gigaflops, gigabytes, ofCopy }: KernelTiming): string[] {
  const rate = gigaflops === undefined ? `${gigabytes.toFixed(2)} GB/s` : `${gigaflops.toFixed(2)} GFLOP/s`;
  return [op, size, `${(seconds * 1e3).toFixed(3)} ms`, rate, `${(ofCopy * 100).toFixed(0)} %`];
}

async function kernels(options: {
  backend: string;
  filter: string;
  largest: boolean;
  seconds: number;
}): Promise<void> {
  const backend = await openBackend(options.backend);
  console.log(`${backend.name}, ${backend.device}, on ${describeMachine()}\n`);
  const timings = await benchKernels(backend, {
    filter: options.filter,
    largestOnly: options.largest,
    seconds: options.seconds,
    onTiming: ({ op, size }) => process.stderr.write(`\r\x1b[K${op} ${size}`),
  });
  process.stderr.write('\r\x1b[K');
  console.log(formatTable(['op', 'size', 'time', 'rate', 'bandwidth / copy'], timings.map(row)));
}

function ratioRow(ratio: Ratio): string[] {
  const { what, how, measured, unit, bound, wanted } = ratio;
  const figure = `${measured.toFixed(unit === '×' ? 2 : 0)} ${unit}`;
  return [what, how, figure, `${wanted} ${bound} ${unit}`, holds(ratio) ? 'yes' : 'NO'];
}

async function wasm(filter: string): Promise<void> {
  console.log(`wasm on ${describeMachine()}\n`);
  const ratios = await benchWasm({
    filter,
    onProgress: (what) => process.stderr.write(`\r\x1b[K${what}`),
  });
  process.stderr.write('\r\x1b[K');
  console.log(formatTable(['what', 'times', 'measured', 'wanted', 'holds'], ratios.map(ratioRow)));
  console.log(`\n${ratios.filter(holds).length} of ${ratios.length} hold.`);
}

async function step(size: string, filter: string, runs: number): Promise<void> {
  if (!Object.hasOwn(worlds, size)) {
    throw new RangeError(`bench: ${unknownName('size', size, Object.keys(worlds))}`);
  }
  console.log(`training steps, ${size}, on ${describeMachine()}\n`);
  const report = await benchSteps({
    size: size as keyof typeof worlds,
    filter,
    runs,
    onProgress: (what) => process.stderr.write(`\r\x1b[K${what}`),
  });
  process.stderr.write('\r\x1b[K');
  console.log(report);
}

async function epochs(options: Omit<EpochBenchOptions, 'onProgress'>): Promise<void> {
  console.log(`seconds of an epoch on ${options.group}, one thread, on ${describeMachine()}\n`);
  const report = await benchEpochs({
    ...options,
    onProgress: (what) => process.stderr.write(`\r\x1b[K${what}`),
  });
  process.stderr.write('\r\x1b[K');
  console.log(report);
}

async function memory(filter: string): Promise<void> {
  console.log(`memory of training steps on ${describeMachine()}\n`);
  const report = await benchMemory({
    filter,
    onProgress: (what) => process.stderr.write(`\r\x1b[K${what}`),
  });
  process.stderr.write('\r\x1b[K');
  console.log(report);
}

async function layers(runs: number): Promise<void> {
  console.log(`a weighted GCN layer, 50,000 nodes, 1 M edges, 128 channels, on ${describeMachine()}\n`);
  const report = await benchLayers({
    nodes: 50_000,
    edges: 1_000_000,
    channels: 128,
    runs,
    onProgress: (what) => process.stderr.write(`\r\x1b[K${what}`),
  });
  process.stderr.write('\r\x1b[K');
  console.log(report);
}

async function scale(runs: number, drawing: string | undefined): Promise<void> {
  console.log(`training steps of GGNN-MulMlp, T 4, d 40, on ${describeMachine()}\n`);
  const figures = await benchScale({
    sizes: [1_000, 10_000, 100_000, 1_000_000],
    runs,
    onProgress: (what) => process.stderr.write(`\r\x1b[K${what}`),
  });
  process.stderr.write('\r\x1b[K');
  console.log(scaleReport(figures));
  if (drawing !== undefined) await replaceFile(drawing, scaleDrawing(figures));
}

async function data(): Promise<void> {
  console.log(`a dataset folder of a million lines, on ${describeMachine()}\n`);
  console.log(await benchData(1_000_000));
}

async function sweeps(): Promise<void> {
  console.log(`sweeps on PostgreSQL, client and server on ${describeMachine()}\n`);
  const report = await benchSweeps({
    ...{ group: 'SINE-SZ16-STP8-NDRP-STD0.2', runs: 2, epochs: 50, empty: 1000 },
    onProgress: (what) => process.stderr.write(`\r\x1b[K${what}`),
  });
  process.stderr.write('\r\x1b[K');
  console.log(report);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      backend: { type: 'string', default: 'reference' },
      filter: { type: 'string', default: '' },
      largest: { type: 'boolean', default: false },
      seconds: { type: 'string', default: '0.2' },
      size: { type: 'string', default: 'SZ32' },
      runs: { type: 'string', default: '5' },
      group: { type: 'string', default: 'HISTORY-SZ32-STP16-NDRP-STD0.2' },
      before: { type: 'string' },
      svg: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const seconds = Number(values.seconds);
  if (!(seconds > 0)) throw new RangeError(`bench: --seconds must be a number > 0, got '${values.seconds}'`);
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1) {
    throw new RangeError(`bench: --runs must be a whole number ≥ 1, got '${values.runs}'`);
  }
  const [command = 'kernels'] = positionals;
  if (command === 'kernels') await kernels({ ...values, seconds });
  else if (command === 'wasm') await wasm(values.filter);
  else if (command === 'step') await step(values.size, values.filter, runs);
  else if (command === 'epochs') await epochs({ ...values, batches: runs });
  else if (command === 'memory') await memory(values.filter);
  else if (command === 'layers') await layers(runs);
  else if (command === 'scale') await scale(runs, values.svg);
  else if (command === 'data') await data();
  else if (command === 'sweeps') await sweeps();
  else {
    const commands = ['kernels', 'wasm', 'step', 'epochs', 'memory', 'layers', 'scale', 'data', 'sweeps'];
    throw new RangeError(`bench: ${unknownName('command', command, commands)}`);
  }
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
