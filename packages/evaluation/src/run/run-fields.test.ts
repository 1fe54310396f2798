import { readFileSync } from 'node:fs';
import { modelNames, models } from '@flowgrad/models';
import { fieldTable } from '@flowgrad/schema';
import { expect, it } from 'vitest';
import { resolveRun } from './run-config.ts';
import { flatSettings, largeWorlds, nestedSettings, runFields } from './run-fields.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

it('the README has the table of all settings', () => {
  expect(readme).toContain(`\n${fieldTable(runFields)}\n`);
  expect(readme).toContain(
    `have a \`batch\` of ${largeWorlds.batch} and a \`d\` of ${largeWorlds.d} unless given`,
  );
});

it('settings side by side and as RunSettings are the same', () => {
  const config = resolveRun({
    group: 'SINE-SZ8-STP4-NDRP-STD0.2',
    model: 'GAT',
    features: { frequencies: 3, embeddings: false },
    options: { d: 12, heads: 3 },
  });
  expect({ group: config.group, model: config.model, ...nestedSettings(flatSettings(config)) }).toEqual(
    config,
  );
});

it('every option of every model is a setting of a run', () => {
  for (const name of modelNames) {
    const options = models[name].options.filter((option) => option !== 'inputs');
    expect(Object.keys(runFields)).toEqual(expect.arrayContaining(options));
  }
});
