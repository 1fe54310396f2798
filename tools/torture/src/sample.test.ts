/** A seeded sample of the torture; `npm run torture` does all of it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { parts } from './parts/parts.ts';
import { runPart } from './run-part.ts';

/** The same cases each time: other seeds are for `npm run torture`, and for whoever sets this. */
const seed = Number(process.env['FLOWGRAD_TEST_SEED'] ?? 7);

/** Two at once: a sweep mostly waits, for heartbeats that stay away, and the other parts go on beside it. */
const names = ['sweeps', ...parts.map(({ name }) => name).filter((name) => name !== 'sweeps')];

test.concurrent.for(names)('%s', async (name, { expect }) => {
  const part = parts.find((each) => each.name === name)!;
  const folder = await mkdtemp(join(tmpdir(), 'flowgrad-torture-'));
  try {
    const { failures } = await runPart(part, { seed, size: 'sample', minutes: 0, folder });
    expect(failures, `npm run torture -- ${name} --sample --seed ${seed}`).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
