import { resolveRun } from '@flowgrad/evaluation';
import type { EpochRecord } from '@flowgrad/evaluation';
import { encodeSafetensors } from '@flowgrad/nn';
import { expect, it } from 'vitest';
import { readLimits } from './read-limits.ts';
import type { OpenedFile } from './opened-file.ts';
import { readOpened } from './read-opened.ts';
import type { OpenedRun } from './read-run.ts';
import { writeRun } from './write-run.ts';
import { writeZip } from './write-zip.ts';

/** Without what says that it is a run. */
const readRun = async (files: readonly OpenedFile[]): Promise<OpenedRun> => {
  const { kind, ...run } = await readOpened(files);
  expect(kind).toBe('run');
  return run as OpenedRun;
};
const config = resolveRun({ group: 'LINE-SZ8-STP4-NDRP-STD0.2', model: 'RW-Dynamic' });
const file = (path: string, content: string | Uint8Array): OpenedFile => {
  const bytes = new Uint8Array(typeof content === 'string' ? new TextEncoder().encode(content) : content);
  return { path, size: bytes.length, bytes: async () => bytes };
};
const metrics = { hits1: 1, hits5: 5, hits10: 10, mr: 2, mrr: 0.5 };
const split = { raw: metrics, filtered: metrics };
const [first, second] = [1, 2].map((epoch): EpochRecord => {
  return { epoch, step: 9 * epoch, loss: 1, seconds: 1, learningRate: 0.1, valid: split, test: split };
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
    file('run/metrics.jsonl', `${JSON.stringify(first)}\n${JSON.stringify(second)}\n`),
    file('run/config.json', JSON.stringify(config)),
    file('run/other/config.json', '{}'),
  ]);
  expect(opened).toEqual({
    config,
    stored: {
      parameters: Uint8Array.of(10),
      adam: Uint8Array.of(11),
      position: { epoch: 1, losses: [0.5] },
      epochs: [first],
      snapshots: [{ epoch: 1, parameters: Uint8Array.of(1) }],
    },
  });
});

it('a run that was saved here is read again, with everything', async () => {
  const saved = {
    parameters: Uint8Array.of(10),
    adam: Uint8Array.of(11),
    position: { epoch: 2, losses: [0.5, 0.25] },
    epochs: [first, second],
    snapshots: [{ epoch: 2, parameters: Uint8Array.of(1) }],
  };
  const run = { config, stepsPerEpoch: 9, step: 20, parameterCount: 1, hasFlow: true, warnings: [] };
  const { name, zip } = await writeRun(run, saved);
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

it('a file that is too large is refused before it is read', async () => {
  const large = (path: string, size: number): OpenedFile => ({
    path,
    size,
    bytes: () => Promise.reject(new Error('it was read')),
  });
  const { textBytes, fileBytes, totalBytes } = readLimits;
  await expect(readRun([large('config.json', textBytes + 1)])).rejects.toThrow(
    'open: expected at most 16 MiB in config.json, got 17 MiB',
  );
  await expect(readRun([large('a.zip', totalBytes + 1)])).rejects.toThrow('at most 1024 MiB in a.zip');
  await expect(readRun([large('a.safetensors', fileBytes + 1)])).rejects.toThrow('at most 256 MiB in a.safe');
  const folder = [
    file('config.json', JSON.stringify(config)),
    file('checkpoints/step-1/parameters.safetensors', Uint8Array.of(1)),
    file('checkpoints/step-1/adam.safetensors', Uint8Array.of(1)),
  ];
  const position = file('checkpoints/step-1/position.json', '{"epoch":9,"losses":[]}');
  await expect(
    readRun([...folder, large('checkpoints/step-1/position.json', textBytes + 1)]),
  ).rejects.toThrow('at most 16 MiB in checkpoints/step-1/position.json');
  await expect(readRun([...folder, position, large('metrics.jsonl', textBytes + 1)])).rejects.toThrow(
    'at most 16 MiB in metrics.jsonl',
  );
  const snapshots = [1, 2, 3, 4, 5].map((epoch) => ({
    ...file(`snapshots/epoch-${epoch}.safetensors`, ''),
    size: fileBytes,
  }));
  await expect(readRun([...folder, position, ...snapshots])).rejects.toThrow(
    'open: expected at most 0 bytes in snapshots/epoch-5.safetensors, got 256 MiB',
  );
});

it('a zip file in a zip file is not opened', async () => {
  const inner = writeZip({ 'config.json': JSON.stringify(config) });
  await expect(readRun([file('a.zip', writeZip({ 'b.zip': inner }))])).rejects.toThrow(
    'open: expected a run folder, a .zip or a .safetensors file, got b.zip',
  );
});

it.for([
  ['config.json', 'null', 'open: expected an object of JSON in config.json, got null'],
  ['config.json', '[]', 'open: expected an object of JSON in config.json, got []'],
  [
    'config.json',
    '{"model":"GNN"}',
    "open: expected a run's configuration in config.json, got another (run: ",
  ],
  [
    'checkpoints/step-1/position.json',
    '{}',
    'open: expected epoch and losses in checkpoints/step-1/position.json',
  ],
  ['checkpoints/step-1/position.json', '{"epoch":1,"losses":["1"]}', 'open: expected epoch and losses in'],
  ['metrics.jsonl', 'null\n', 'open: expected an object of JSON in metrics.jsonl, got null'],
  ['metrics.jsonl', '{}\n', 'open: metrics.jsonl: expected epoch 1 in line 1, got something else'],
  ['metrics.jsonl', '{"epoch":1}\n', 'open: metrics.jsonl: expected loss and seconds in line 1'],
  [
    'metrics.jsonl',
    JSON.stringify({ ...first, test: { ...split, raw: {} } }),
    'open: metrics.jsonl: expected all metrics in line 1',
  ],
] as const)('%s that is %j is refused by name', async ([path, content, message]) => {
  const files = {
    'config.json': JSON.stringify(config),
    'checkpoints/step-1/parameters.safetensors': '',
    'checkpoints/step-1/adam.safetensors': '',
    'checkpoints/step-1/position.json': '{"epoch":1,"losses":[]}',
    [path]: content,
  };
  await expect(readRun(Object.entries(files).map(([name, text]) => file(name, text)))).rejects.toThrow(
    message,
  );
});
