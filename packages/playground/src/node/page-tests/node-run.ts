/** What Node computes of the small run, on a backend of its own. */
import type { Dataset } from '@flowgrad/data';
import { createTrainer, training } from '@flowgrad/evaluation';
import type { RunSettings, Trainer } from '@flowgrad/evaluation';
import { setBackend } from '@flowgrad/tensor';
import { openWasm, openWebGpu } from '@flowgrad/tensor/node';

export async function onNode<T>(
  backend: 'webgpu' | 'wasm',
  settings: RunSettings,
  use: (trainer: Trainer) => Promise<T>,
  dataset?: Dataset,
): Promise<T> {
  const opened = await (backend === 'webgpu' ? openWebGpu() : openWasm({ simd: 'plain' }));
  setBackend(opened);
  const trainer = createTrainer(settings, dataset ? { dataset } : {});
  try {
    return await use(trainer);
  } finally {
    trainer.dispose();
    await opened.close();
  }
}

/** The losses of the next steps. */
export async function lossesOf(trainer: Trainer, steps: number): Promise<number[]> {
  const losses: number[] = [];
  for await (const event of training(trainer)) {
    if (event.kind === 'step') losses.push(event.loss);
    if (losses.length === steps) break;
  }
  return losses;
}
