import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { importPaths, importTriples, importTrips } from '@flowgrad/data';
import type { Imported, ImportedFile, ImportSummary } from '@flowgrad/data';
import { writeDataFolder } from '@flowgrad/data/node';
import { textTable } from '@flowgrad/files';
import { runFields } from '@flowgrad/evaluation';
import { defineCommand } from '../command.ts';
import type { Context } from '../command.ts';
import { settingFlags } from '../flags/field-flag.ts';
import { choice, choiceFlag, integerFlag, switchFlag, textFlag, valueFlag } from '../flags/flag.ts';
import { parseShares } from '../flags/lists.ts';
import { verboseFlag } from '../flags/run-flags.ts';
import { writeFor } from '../runs/write-for.ts';
import { UsageError } from '../usage-error.ts';

const flags = {
  out: textFlag({ value: '<folder>', about: 'where the dataset goes (default data/<name>)' }),
  name: textFlag({ value: '<name>', about: 'what it is called (default the name of the first file)' }),
  steps: integerFlag({
    about: 'how many steps a model takes (default 2; of paths as many as the longest has)',
    least: 1,
    most: 1024,
  }),
  split: valueFlag(
    { value: '0.8,0.1,0.1', about: 'parts for training, validation and test, where one file has all' },
    parseShares,
  ),
  seed: { ...settingFlags.seed, about: 'seed of the split (default 1)' },
  edges: textFlag({
    value: '<file>',
    about: 'of paths: the edges, if they are more than the steps of paths',
  }),
  ask: choiceFlag(['tails', 'both'], { about: 'of triples: for tails, or for heads too', initial: 'tails' }),
  unreachable: choiceFlag(['kept', 'dropped'], {
    about: 'what becomes of examples that are farther than the steps',
    initial: 'kept',
  }),
  overwrite: switchFlag('replace the folder if it is there and holds a dataset alone'),
  json: switchFlag('the summary as JSON'),
  ...verboseFlag,
};

const kinds = ['triples', 'trips', 'paths'] as const;

export const importData = defineCommand({
  name: 'import',
  summary: 'Makes a dataset of a knowledge graph, of trips over a network, or of paths.',
  usage:
    'import triples <file | train valid test>   or   import trips <edges> <trips>   or   import paths <file>',
  takes: [2, 4],
  examples: [
    {
      line: 'import triples train.txt dev.txt test.txt --name umls --steps 2',
      about: 'head, relation and tail in each line, tab-separated',
    },
    {
      line: 'import trips roads.tsv trips.tsv --steps 6 --split 0.7,0.1,0.2 --seed 3',
      about: 'lines of sender, receiver; lines of source, destination and perhaps a query',
    },
    { line: 'import paths walks.tsv --out data/walks', about: 'the nodes of a walk in each line' },
  ],
  flags,
  run: async ({ args: [kind, ...files], flags, stdout }) => {
    const { dataset, summary } = await read(choice('something to import', kinds, kind), files, flags);
    const out = flags.out ?? `data/${dataset.name}`;
    await writeFor('import', () => writeDataFolder(out, dataset, { overwrite: flags.overwrite }));
    const { name, steps } = dataset;
    if (flags.json) stdout.write(`${JSON.stringify({ name, steps, out, ...summary })}\n`);
    else stdout.write(`${summaryText(summary, steps)}\n\nThe dataset ${name} is in ${out}\n`);
  },
});

async function read(
  kind: (typeof kinds)[number],
  paths: readonly string[],
  given: Context<typeof flags>['flags'],
): Promise<Imported> {
  const { split, unreachable, ask, seed = runFields.seed.default } = given;
  const name = given.name ?? basename(paths[0]).replace(/\.[^.]*$/, '');
  const options = { name, steps: given.steps ?? 2, seed, unreachable, ...(split && { split }) };
  const edges = given.edges;
  if (kind !== 'paths' && edges !== undefined) {
    throw new UsageError(`import: expected --edges with paths, got it with ${kind}`);
  }
  if (kind !== 'triples' && ask === 'both') {
    throw new UsageError(`import: expected --ask with triples, got it with ${kind}`);
  }
  const wanted = { triples: [1, 3], trips: [2], paths: [1] }[kind];
  if (!wanted.includes(paths.length)) {
    throw new UsageError(`import: expected ${wanted.join(' or ')} files of ${kind}, got ${paths.length}`);
  }
  if (kind === 'triples' && paths.length === 3 && split) {
    throw new UsageError('import: expected --split with one file, got it with three');
  }
  const files: ImportedFile[] = [];
  for (const path of paths) files.push(await opened(path));
  if (kind === 'triples') return importTriples(files, { ...options, ask });
  if (kind === 'trips') return importTrips(files[0], files[1], options);
  const { steps: _, ...others } = options;
  return importPaths(files[0], {
    ...others,
    ...(given.steps !== undefined && { steps: given.steps }),
    ...(edges !== undefined && { edges: await opened(edges) }),
  });
}

/** That a file is not there is an error before anything is read. */
async function opened(path: string): Promise<ImportedFile> {
  const found = await stat(path);
  if (!found.isFile()) throw new UsageError(`import: expected a file at ${path}, got something else`);
  return { name: path, chunks: createReadStream(path, { highWaterMark: 2 ** 18 }) };
}

function summaryText(summary: ImportSummary, steps: number): string {
  const { lines, dropped, warnings, nodes, edges, edgeTypes, queries, examples, unreachable, noWay } =
    summary;
  const splits = ['train', 'valid', 'test'] as const;
  const rows = [
    ['examples', ...splits.map((split) => String(examples[split]))],
    [`farther than ${steps} steps`, ...splits.map((split) => String(unreachable[split]))],
  ];
  return [
    `${lines} lines: ${nodes} nodes, ${edges} edges of ${edgeTypes} types${queries > 0 ? `, ${queries} queries` : ''}`,
    ...dropped.map(({ why, count, first }) => `dropped ${count}: ${why} (first ${first})`),
    ...warnings.map((warning) => `warning: ${warning}`),
    '',
    textTable(['', ...splits], rows),
    ...(noWay > 0 ? [`to ${noWay} of these no way leads at all`] : []),
  ].join('\n');
}
