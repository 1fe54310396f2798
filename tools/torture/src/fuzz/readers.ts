/** What reads files and links that anybody may have made, with inputs of each to start from. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { readDataset as readGraphDataset, writeDataset as writeGraphDataset } from '@flowgrad/data';
import type { Dataset, DatasetFile } from '@flowgrad/data';
import { createTrainer, evaluateSplit, resolveRun, runFiles } from '@flowgrad/evaluation';
import type { EpochRecord, RunConfig, RunSettings } from '@flowgrad/evaluation';
import { examineRun, writeReport } from '@flowgrad/evaluation/node';
import { decodeTextLayout, encodeTextLayout, generateDataset, TEXT_FILES } from '@flowgrad/gridworld';
import type { WorldParameters } from '@flowgrad/gridworld';
import { readDataset, writeDataset } from '@flowgrad/gridworld/node';
import { decodeSafetensors, encodeSafetensors } from '@flowgrad/nn';
import { setBackend, wasmBackend } from '@flowgrad/tensor';
import type { Random } from '../random.ts';
import { demand } from '../torture.ts';
import { changingFolder, readChanged } from './changing-folder.ts';
import { mutateBytes, mutateText, mutateValue } from './mutate.ts';
import { isOurWords } from './our-error.ts';
import type { OpenedFile, PageReaders } from './page-readers.ts';
import { bomb, entryOf, zipOf } from './zip-file.ts';

export interface Reader {
  /** Of inputs, in a full run. */
  readonly count: number;
  /** Makes one more input, and gives what reads it. */
  next(random: Random): Promise<() => unknown>;
}

const reader = <Input>(
  count: number,
  input: (random: Random) => Input | Promise<Input>,
  read: (input: Input) => unknown,
): Reader => ({
  count,
  next: async (random) => {
    const made = await input(random);
    return () => read(made);
  },
});

const config = resolveRun({ group: 'LINE-SZ4-STP2-NDRP-STD0.2', model: 'RW-Dynamic', epochs: 2 });

const safetensors = encodeSafetensors(
  new Map([
    ['embedding', { dtype: 'F32', shape: [3, 2], data: Float32Array.of(1, 2, 3, 4, 5, 6) }],
    ['none', { dtype: 'F32', shape: [0, 7], data: new Float32Array() }],
    ['count', { dtype: 'I32', shape: [2], data: Int32Array.of(1, -1) }],
  ]),
  { run: JSON.stringify(config), epoch: '1', note: 'Grüße, 世界' },
);

const metrics = { hits1: 10, hits5: 20, hits10: 30, mr: 4.5, mrr: 0.25 };
const split = { raw: metrics, filtered: metrics };
const epochs = [1, 2].map((epoch) => ({
  ...{ epoch, step: 2 * epoch, learningRate: 0.01, loss: 1.5, seconds: 0.25 },
  ...{ valid: split, test: split },
})) as unknown as EpochRecord[];

const folder = runFiles({
  config,
  step: 3,
  checkpoint: {
    position: { epoch: 1, losses: [0.5] },
    parameters: new Uint8Array(safetensors),
    adam: new Uint8Array(safetensors),
  },
  epochs,
  snapshots: [{ epoch: 1, parameters: new Uint8Array(safetensors) }],
});
const files = Object.entries(folder).map(([path, content]) => ({ path, content: Buffer.from(content) }));

const dataset = generateDataset('LINE-SZ4-STP2-NDRP-STD0.2', { seed: 1 });
const layout = encodeTextLayout(dataset);
const changedDataset = changingFolder((folder) => writeDataset(folder, dataset), /./);

const family: Partial<Record<DatasetFile, string>> = {
  'manifest.json': JSON.stringify({
    ...{ format: 'flowgrad-dataset', version: 1, name: 'family', steps: 2, asksEdges: true },
    ...{ edgeTypes: ['parent', 'parent^-1', 'friend'], unreachable: 'kept' },
  }),
  'nodes.tsv': 'node\tx\ty\tage\nänn\t0\t0\t61\nbob\t1\t-2.5\t35\ncid\t1e3\t0\t9\n',
  'edges.tsv': 'sender\ttype\treceiver\nänn\tparent\tbob\nbob\tparent^-1\tänn\nbob\tparent\tcid\n',
  'examples.tsv':
    'split\tsource\tdestination\tquery\tpath\ntrain\tänn\tcid\tparent\tänn\tbob\tcid\n' +
    'valid\tbob\tcid\tfriend\tbob\tcid\ntest\tänn\tbob\tparent\tänn\tbob\n',
  'true.tsv': 'source\tdestination\tquery\nänn\tcid\tfriend\n',
};
const numbered: Partial<Record<DatasetFile, string>> = {
  'manifest.json': JSON.stringify({
    ...{
      format: 'flowgrad-dataset',
      version: 1,
      name: 'trips',
      steps: 3,
      nodes: 4,
      edgeTypes: 2,
      queries: 2,
    },
  }),
  'edges.tsv': 'sender\ttype\treceiver\n0\t0\t1\n1\t1\t2\n2\t0\t3\n3\t0\t0\n',
  'examples.tsv': 'split\tsource\tdestination\tquery\ntrain\t0\t3\t0\nvalid\t1\t0\t1\ntest\t2\t1\t0\n',
};

const links = [
  'dynamics=SINE&size=16&steps=8&sigma=0.2&nodeDrop=0.1&edgeDrop=0.1&rollouts=10&seed=1&model=GGNN-MulMlp&d=16',
  'model=RW-Stationary&shuffling=2&epochs=5&batch=8&rates=0.1,0.01&plan=dense&frequencies=4&embeddings=false',
  'a1=1&b1=0.5&omega=0.1&history=sum&model=GGNN&model2=GAT&heads2=4&d2=8&device=wasm&simd=plain&threads=1&source=1,2',
];

const ownWorld = { ...dataset.world.parameters, name: 'own', nodeDrop: 0.05, edgeDrop: 0.1 };
const settings = [
  {
    group: 'SINE-SZ5-STP3-NDRP-STD0.3',
    model: 'GGNN-MulMlp',
    options: { d: 4, messageMemory: 0 },
    batch: 8,
    learningRates: [0.02, 0.01],
  },
  {
    group: ownWorld,
    model: 'GAT',
    seed: 2,
    shuffling: 3,
    options: { d: 6, heads: 2, attentionChannels: 3 },
    epochs: 5,
    plan: 'dense',
  },
  {
    group: ownWorld,
    model: 'FullGN-Mul',
    options: { d: 3, globalReduction: 'mean', weightDecay: 0 },
    batch: 20,
    plan: 'cone',
  },
  {
    group: 'HISTORY-SZ4-STP1-EDRP-STD0.5',
    model: 'RW-Stationary',
    features: { frequencies: 2, embeddings: false },
    epochs: 2,
  },
];

const zip = (isDeflated: boolean): Uint8Array =>
  zipOf(files.map(({ path, content }) => entryOf(`run/${path}`, content, isDeflated)));
const zips = [zip(false), zip(true)];

const opened = (path: string, bytes: Uint8Array): OpenedFile => ({
  path,
  size: bytes.length,
  bytes: () => Promise.resolve(new Uint8Array(bytes)),
});

/** `run` is the folder of a run that is done. */
export const readersOf = (
  { fromLink, readRun }: PageReaders,
  run: string,
): Readonly<Record<string, Reader>> => ({
  safetensors: reader(400_000, (random) => mutateBytes(safetensors, random), decodeSafetensors),
  'safetensors headers': reader(150_000, mutatedHeader, decodeSafetensors),
  'text layout': reader(
    150_000,
    (random) => {
      const file = random.pick(TEXT_FILES);
      return { ...layout, [file]: mutateText(layout[file], random) };
    },
    (mutated) => decodeTextLayout(mutated),
  ),
  'dataset folders': reader(5_000, changedDataset, (changed) => readChanged(changed, readDataset)),
  'graph datasets': reader(1_000_000, mutatedGraphFiles, readGraphFiles),
  links: reader(200_000, (random) => `#${mutateText(random.pick(links), random)}`, fromLink),
  settings: reader(980_000, (random) => mutateValue(random.pick(settings), random), readSettings),
  'trained settings': reader(20_000, (random) => mutateValue(random.pick(settings), random), trainTiny),
  'run files': reader(120_000, mutatedFolder, readRun),
  'run folders': reader(5_000, changedRun(run), (changed) => readChanged(changed, readRunFolder)),
  'zip files': reader(
    40_000,
    (random) => [opened('run.zip', mutateBytes(random.pick(zips), random))],
    readRun,
  ),
  'zip bombs': reader(6, packedZeros, readRun),
});

type GraphFiles = Partial<Record<DatasetFile, Uint8Array>>;

function mutatedGraphFiles(random: Random): GraphFiles {
  const files = Object.entries(random.pick([family, numbered]));
  const changed = random.below(files.length);
  return Object.fromEntries(
    files.map(([name, text], i) => {
      if (i !== changed) return [name, Buffer.from(text)];
      const isText = random.below(2) === 0;
      return [name, isText ? Buffer.from(mutateText(text, random)) : mutateBytes(Buffer.from(text), random)];
    }),
  );
}

/** What is taken comes back from what is written of it. */
async function readGraphFiles(files: GraphFiles): Promise<void> {
  const read = (of: GraphFiles): Promise<Dataset> =>
    readGraphDataset((file) => {
      const bytes = of[file];
      return bytes && [bytes];
    });
  const written = writeGraphDataset(await read(files));
  const again = writeGraphDataset(
    await read(Object.fromEntries(Object.entries(written).map(([name, text]) => [name, Buffer.from(text)]))),
  );
  demand(JSON.stringify(again) === JSON.stringify(written), () => `it came back as ${JSON.stringify(again)}`);
}

/** What is taken comes back from its file. */
function readSettings(settings: unknown): RunConfig {
  const config = resolveRun(settings as RunSettings);
  const again = resolveRun(JSON.parse(JSON.stringify(config)) as RunSettings);
  demand(JSON.stringify(again) === JSON.stringify(config), `it came back as ${JSON.stringify(again)}`);
  return config;
}

/** A step, and the metrics of the test split, of whatever is small enough. */
async function trainTiny(settings: unknown): Promise<void> {
  const config = readSettings(settings);
  const { size, steps, rollouts } = isWorld(config.group) ? config.group : ownWorld;
  if (typeof config.group === 'object' && !isWorld(config.group)) return;
  const isTiny =
    size <= 8 &&
    steps <= 8 &&
    rollouts <= 20 &&
    config.options.d <= 16 &&
    (config.options.memory ?? 0) <= 16 &&
    (config.options.clock ?? 0) <= 16;
  const isGroup = typeof config.group !== 'string' || /-SZ[2-8]-STP[1-8]-/.test(config.group);
  if (
    !isTiny ||
    !isGroup ||
    (config.worlds ?? 1) > 2 ||
    (config.keepNodes ?? 1) > 1000 ||
    config.batch > 1000 ||
    (config.features?.frequencies ?? 0) > 16
  )
    return;
  setBackend((backend ??= await wasmBackend({ simd: 'plain' })));
  const trainer = createTrainer(config);
  try {
    await trainer.step();
    await evaluateSplit(trainer, 'test');
  } finally {
    trainer.dispose();
  }
}

const isWorld = (group: RunConfig['group']): group is WorldParameters =>
  typeof group === 'object' && 'size' in group;

let backend: Awaited<ReturnType<typeof wasmBackend>> | undefined;

function mutatedHeader(random: Random): Uint8Array {
  const length = Number(Buffer.from(safetensors).readBigUInt64LE());
  const text = Buffer.from(safetensors.subarray(8, 8 + length)).toString();
  const header = Buffer.from(mutateText(text, random));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(header.length));
  return new Uint8Array(Buffer.concat([size, header, safetensors.subarray(8 + length)]));
}

function mutatedFolder(random: Random): OpenedFile[] {
  const changed = random.below(files.length);
  return files.map(({ path, content }, i) => {
    if (i !== changed) return opened(path, content);
    const isText = !path.endsWith('.safetensors');
    return opened(
      path,
      isText ? Buffer.from(mutateText(content.toString(), random)) : mutateBytes(content, random),
    );
  });
}

/** A run folder of an older release: without a manifest every file is read for what it says. */
const changedRun = (run: string) =>
  changingFolder(
    (folder) => cp(run, folder, { recursive: true, filter: (path) => !/manifest-\d+\.json$/.test(path) }),
    /\.jsonl?$/,
  );

/** As doctor and report do. What is found is an error too. */
async function readRunFolder(folder: string): Promise<void> {
  const { findings } = await examineRun(folder);
  for (const { file, problem } of findings) demand(isOurWords(problem), `doctor: ${file}: ${problem}`);
  await writeReport(folder, join(folder, '..', 'report.html'));
}

/** Small files that unpack to half a gigabyte, with headers that say so and with headers that do not. */
async function packedZeros(random: Random): Promise<OpenedFile[]> {
  const claimed = random.pick([undefined, 0, 100, 0xfffffff]);
  const name = random.pick(['config.json', 'run/config.json', 'run/metrics.jsonl', 'a.safetensors']);
  const isConfigNeeded = name.endsWith('metrics.jsonl');
  const more = isConfigNeeded ? files.map(({ path, content }) => entryOf(`run/${path}`, content, true)) : [];
  const rest = more.filter((entry) => entry.name !== name);
  return [opened('run.zip', zipOf([...rest, await bomb(name, 512, claimed)]))];
}
