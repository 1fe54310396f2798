import { readFileSync } from 'node:fs';
import { randomKey } from '@flowgrad/tensor';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { ggnnMessage, gruUpdate } from '../networks/ggnn.ts';
import { defineExplicitFlow } from './define-model.ts';
import type { ModelSettings } from './model.ts';
import { modelOptions } from './options.ts';
import type { OptionDeclarations, OptionValues } from './options.ts';
import { createModel } from './registry.ts';
import type { ResolvedSettings } from './settings.ts';

useReference();

it('the README has every option with its default', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  for (const [name, declaration] of Object.entries(modelOptions)) {
    const row = new RegExp(`^\\| \`${name}\` +\\|.*\\| '?\`?'?${declaration.default}\\b`, 'm');
    expect(readme).toMatch(row);
  }
});

it('the type of a model’s settings is that of the options', () => {
  expectTypeOf<ModelSettings['d']>().toEqualTypeOf<number | undefined>();
  expectTypeOf<ModelSettings['globalReduction']>().toEqualTypeOf<'sum' | 'mean' | undefined>();
});

it.each([undefined, 1])('a model wants a random key, and refuses %s', (key) => {
  const settings = { nodeCount: 3, edgeTypeCount: 2, key } as unknown as ModelSettings;
  expect(() => createModel('GGNN', settings)).toThrow(
    `createModel: expected key to be a random key, got ${String(key)} (key: randomKey(1))`,
  );
});

it('a GRU that has no messages to read says so', () => {
  const walk = defineExplicitFlow({ name: 'walk', update: gruUpdate });
  expect(() => createModel(walk, { nodeCount: 3, edgeTypeCount: 2, key: randomKey(1) })).toThrow(
    'gruUpdate: expected a model with messages, got one without (give it a message part)',
  );
});

describe('an option that a part brings along', () => {
  const options = {
    dropRate: { kind: 'number', least: 0, most: 0.5, default: 0.25, about: 'share of messages dropped' },
  } as const satisfies OptionDeclarations;
  const seen: number[] = [];
  const own = defineExplicitFlow({
    name: 'GGNN-Drop',
    message: {
      options,
      build: (settings) => {
        seen.push((settings as ResolvedSettings & OptionValues<typeof options>).dropRate);
        return ggnnMessage.build(settings);
      },
    },
    update: gruUpdate,
  });
  const create = (more: object) =>
    createModel(own, { nodeCount: 4, edgeTypeCount: 2, key: randomKey(1), d: 4, ...more });

  it('is one of the model’s, has its default, and is checked', () => {
    expect(own.options).toContain('dropRate');
    create({});
    create({ dropRate: 0.5 });
    expect(seen).toEqual([0.25, 0.5]);
    expect(() => create({ dropRate: 0.75 })).toThrow(
      'createModel: dropRate must be a finite number in 0..0.5, got 0.75',
    );
    expect(() => create({ droprate: 0 })).toThrow(/, got 'droprate' \(did you mean dropRate\?\)$/);
  });
});
