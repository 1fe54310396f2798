/** WebGPU devices that go away in the middle of a training: it goes on with another, and nothing differs. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { trainRun } from '@flowgrad/evaluation/node';
import { webGpuBackend } from '@flowgrad/tensor';
import { openDevice } from '@flowgrad/tensor/node';
import type { OpenBackend } from '@flowgrad/tensor/node';
import { randomFrom } from '../random.ts';
import { contentsOf, demandSame } from '../tiny-run.ts';
import type { Contents } from '../tiny-run.ts';
import { demand } from '../torture.ts';
import type { Case, Part } from '../torture.ts';

const counts = { full: 12, sample: 1 };

const settings = {
  group: 'SINE-SZ4-STP2-NDRP-STD0.2',
  model: 'RW-Stationary',
  options: { d: 4 },
  epochs: 3,
  batch: 4,
  learningRates: [0.02],
} as const;

export const devices: Part = {
  name: 'devices',
  about: 'WebGPU devices lost at random moments of a training, on the software adapter',
  // The backend of the moment is one for the whole process.
  beside: 1,
  cases: async ({ seed, size, folder }) => {
    const random = randomFrom(seed, 'devices');
    const { contents, calls } = await trained(join(folder, 'unbroken'), []);
    return Array.from({ length: counts[size] }, (_, i): Case => {
      const losses = Array.from({ length: 1 + (i % 3) }, () => 1 + random.below(calls[0]));
      return {
        name: `lost at call ${losses.join(', then ')}`,
        run: async (run) => {
          const got = await trained(join(run, 'run'), losses);
          demand(got.lost > 0, 'no device was lost');
          demandSame(got.contents, contents);
        },
      };
    });
  },
};

interface Trained {
  readonly contents: Contents;
  /** Calls of kernels on each device that was opened. */
  readonly calls: readonly number[];
  readonly lost: number;
}

/** Trains a run whose first devices are lost after so many calls each. */
async function trained(folder: string, losses: readonly number[]): Promise<Trained> {
  const calls: number[] = [];
  let lost = 0;
  const openBackend = async (): Promise<OpenBackend> => {
    const { device, adapter } = await openDevice({ adapter: 'software' });
    const backend = webGpuBackend(device, { adapter });
    const i = calls.push(0) - 1;
    const run = backend.run.bind(backend);
    backend.run = (...words) => {
      if (++calls[i] === losses[i]) device.destroy();
      return run(...words);
    };
    return backend;
  };
  const onEvent = ({ kind }: { readonly kind: string }): void => void (lost += kind === 'lost' ? 1 : 0);
  await trainRun({ folder, settings, openBackend, onEvent });
  const contents = await contentsOf(folder);
  await rm(folder, { recursive: true });
  return { contents, calls, lost };
}
