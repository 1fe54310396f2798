/**
 * Trains, stops, resumes, evaluates, reports, opens and closes devices again and again, in one process, for a time:
 * `node soak-process.js <folder> <seconds> <least rounds>`. Prints a `Round` after each as a line of JSON.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { evaluateSplit, createTrainer } from '@flowgrad/evaluation';
import type { RunSettings } from '@flowgrad/evaluation';
import { trainRun, writeReport } from '@flowgrad/evaluation/node';
import { add, full, memory, scope, setBackend } from '@flowgrad/tensor';
import { openBackend, openWebGpu } from '@flowgrad/tensor/node';
import type { Round } from './flat.ts';

const [folder, ...numbers] = process.argv.slice(2);
const [seconds, leastRounds] = numbers.map(Number);
const devicesPerRound = 3;
const settings: RunSettings = {
  group: 'SINE-SZ5-STP3-NDRP-STD0.2',
  model: 'GGNN-MulMlp',
  options: { d: 8 },
  epochs: 2,
  batch: 4,
};

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What a round leaves behind. */
async function measured(): Promise<Round> {
  // What has a finaliser goes in a second collection, after the finaliser has run.
  for (let times = 0; times < 2; times++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return {
    mebibytes: process.memoryUsage().rss / 2 ** 20,
    buffers: memory().buffers,
    handles: process.getActiveResourcesInfo().length,
  };
}

async function trainAndResume(run: string): Promise<void> {
  const openWasm = () => openBackend({ device: 'wasm', threads: 2 });
  const stop = new AbortController();
  await trainRun({
    folder: run,
    settings,
    openBackend: openWasm,
    signal: stop.signal,
    onEvent: ({ kind }) => {
      if (kind === 'step') stop.abort();
    },
  });
  await trainRun({ folder: run, settings, resume: true, openBackend: openWasm });
  await writeReport(run, join(folder, 'report.html'));
  await rm(run, { recursive: true });
}

async function evaluate(): Promise<void> {
  const backend = await openBackend({ device: 'wasm', threads: 1 });
  setBackend(backend);
  const trainer = createTrainer(settings);
  await evaluateSplit(trainer, 'test');
  trainer.dispose();
  setBackend(undefined);
  await backend.close();
}

async function openAndClose(): Promise<void> {
  const backend = await openWebGpu({ adapter: 'software' });
  setBackend(backend);
  await scope(async () => void (await add(full([1000], 1), 1).data()));
  setBackend(undefined);
  await backend.close();
}

const end = performance.now() + 1000 * seconds;
for (let round = 0; round < leastRounds || performance.now() < end; round++) {
  await trainAndResume(join(folder, 'run'));
  await evaluate();
  for (let times = 0; times < devicesPerRound; times++) await openAndClose();
  console.log(JSON.stringify(await measured()));
}
