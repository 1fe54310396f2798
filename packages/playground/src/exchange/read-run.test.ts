import { resolveRun } from '@flowgrad/evaluation';
import type { EpochRecord } from '@flowgrad/evaluation';
import { encodeSafetensors } from '@flowgrad/nn';
import { expect, it } from 'vitest';
import { readRun } from './read-run.ts';
import type { OpenedFile } from './read-run.ts';
import { writeRun } from './write-run.ts';

const config = resolveRun({ group: 'LINE-SZ8-STP4-NDRP-STD0.2', model: 'RW-Dynamic' });
const file = (path: string, content: string | Uint8Array): OpenedFile => ({
  path,
  bytes: async () =>
    new Uint8Array(typeof content === 'string' ? new TextEncoder().encode(content) : content),
});
const checkpoint = (metadata: Record<string, string>): Uint8Array =>
  encodeSafetensors(new Map([['u', { dtype: 'F32', shape: [1], data: new Float32Array([1]) }]]), metadata);

it('a checkpoint brings its run’s configuration', async () => {
  const opened = await readRun([file('a.safetensors', checkpoint({ run: JSON.stringify(config) }))]);
  expect(opened.config).toEqual(config);
  expect(opened.stored.adam).toBeUndefined();
});

it('a run folder gives its latest checkpoint with the optimiser, and its metrics', async () => {
  const opened = await readRun([
    file('run/checkpoints/step-00000002/parameters.safetensors', Uint8Array.of(2)),
    file('run/checkpoints/step-00000010/adam.safetensors', Uint8Array.of(11)),
    file('run/checkpoints/step-00000010/parameters.safetensors', Uint8Array.of(10)),
    file('run/checkpoints/step-00000010/position.json', '{"epoch":1,"losses":[0.5]}'),
    file('run/snapshots/epoch-0001.safetensors', Uint8Array.of(1)),
    // Of an epoch that is newer than the checkpoint.
    file('run/snapshots/epoch-0002.safetensors', Uint8Array.of(2)),
    file('run/metrics.jsonl', '{"epoch":1,"step":9}\n{"epoch":2,"step":18}\n'),
    file('run/config.json', JSON.stringify(config)),
    file('run/other/config.json', '{}'),
  ]);
  expect(opened).toEqual({
    config,
    stored: {
      parameters: Uint8Array.of(10),
      adam: Uint8Array.of(11),
      position: { epoch: 1, losses: [0.5] },
      epochs: [{ epoch: 1, step: 9 }],
      snapshots: [{ epoch: 1, parameters: Uint8Array.of(1) }],
    },
  });
});

it('a run that was saved here is read again, with everything', async () => {
  const saved = {
    parameters: Uint8Array.of(10),
    adam: Uint8Array.of(11),
    position: { epoch: 2, losses: [0.5, 0.25] },
    epochs: [{ epoch: 1 }, { epoch: 2 }] as EpochRecord[],
    snapshots: [{ epoch: 2, parameters: Uint8Array.of(1) }],
  };
  const run = { config, stepsPerEpoch: 9, step: 20, parameterCount: 1, hasFlow: true };
  const { name, zip } = writeRun(run, saved);
  expect(name).toBe('RW-Dynamic-step-20');
  expect(await readRun([file(`${name}.zip`, zip)])).toEqual({ config, stored: saved });
});

it('a run folder without a checkpoint gives its last snapshot', async () => {
  const { stored } = await readRun([
    file('config.json', JSON.stringify(config)),
    file('snapshots/epoch-0002.safetensors', Uint8Array.of(2)),
    file('snapshots/epoch-0011.safetensors', Uint8Array.of(11)),
  ]);
  expect(stored).toEqual({ parameters: Uint8Array.of(11) });
});

it('what cannot be opened is said', async () => {
  await expect(readRun([file('a.txt', '')])).rejects.toThrow(
    'open: expected a run folder, a .zip or a .safetensors file, got a.txt',
  );
  await expect(readRun([file('a.safetensors', checkpoint({}))])).rejects.toThrow(
    /open: expected a checkpoint with its run's configuration as metadata 'run', got a.safetensors without/,
  );
  await expect(readRun([file('config.json', '{')])).rejects.toThrow('open: expected JSON in config.json');
  await expect(readRun([file('config.json', JSON.stringify(config))])).rejects.toThrow(
    'open: expected a checkpoint or a snapshot in the folder, got neither',
  );
});
