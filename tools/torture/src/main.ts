/** `npm run torture -- kills damage --seed 7 --only 'operation 12'` */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { textTable } from '@flowgrad/files';
import { parts } from './parts/parts.ts';
import { runPart } from './run-part.ts';
import type { PartResult } from './run-part.ts';

const usage = `Usage: npm run torture -- [parts…] [options]

${parts.map(({ name, about }) => `  ${name.padEnd(18)}${about}`).join('\n')}

  --seed N          which cases (default: by the clock; it is printed)
  --only TEXT       only cases whose name contains TEXT
  --minutes N       of the soak (default 10); of any other part, when to begin no more cases
  --sample          the few cases of each part that npm test has time for
  --help            this text`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    only: { type: 'string' },
    minutes: { type: 'string' },
    sample: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

function numberOf(flag: 'seed' | 'minutes', otherwise: number): number {
  const value = Number(values[flag] ?? otherwise);
  if (value >= 0) return value;
  throw new RangeError(`torture: expected --${flag} to be a number ≥ 0, got '${values[flag]}'`);
}

function table(results: readonly PartResult[]): string {
  const sum = (of: (result: PartResult) => number): number =>
    results.reduce((all, each) => all + of(each), 0);
  const rows = results.map(
    ({ name, cases, failures, seconds }) => [name, cases, failures.length, seconds] as const,
  );
  const all = [
    ...rows,
    ['all', sum((r) => r.cases), sum((r) => r.failures.length), sum((r) => r.seconds)] as const,
  ];
  return textTable(
    ['part', 'cases', 'failures', 'seconds'],
    all.map(([name, cases, failed, seconds]) => [
      name,
      cases.toLocaleString('en'),
      String(failed),
      seconds.toFixed(0),
    ]),
  );
}

async function main(): Promise<void> {
  if (values.help) {
    console.log(usage);
    return;
  }
  const seed = numberOf('seed', Date.now() % 1_000_000);
  const names = parts.map(({ name }) => name);
  const unknown = positionals.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new RangeError(`torture: could not resolve part '${unknown}' among {${names.join(', ')}}`);
  }
  const chosen = parts.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const folder = await mkdtemp(join(tmpdir(), 'flowgrad-torture-'));
  const size = values.sample ? 'sample' : 'full';
  console.log(`seed ${seed}, in ${folder}`);
  const results: PartResult[] = [];
  for (const part of chosen) {
    console.log(`${part.name}: ${part.about}`);
    const limit = values.minutes === undefined ? {} : { seconds: 60 * numberOf('minutes', 0) };
    results.push(
      await runPart(
        part,
        { seed, size, minutes: numberOf('minutes', 10), folder },
        {
          ...(values.only !== undefined && { only: values.only }),
          ...limit,
          say: (line) => console.log(line),
        },
      ),
    );
  }
  const failures = results.flatMap((result) => result.failures);
  console.log(`\n${table(results)}\n`);
  for (const { part, name, problem } of failures) {
    console.log(
      `${problem}\n  again: npm run torture -- ${part} --seed ${seed}${values.sample ? ' --sample' : ''} --only '${name}'`,
    );
  }
  console.log(
    failures.length === 0
      ? `Nothing was lost (seed ${seed}).`
      : `${failures.length} failures (seed ${seed}).`,
  );
  if (failures.length === 0) await rm(folder, { recursive: true, force: true });
  else process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
