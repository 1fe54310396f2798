/** Settings of runs at random, made of the same fields as everything else: tiny ones, and ones that are nearly right. */
import { DYNAMICS, LATENT_FIELDS, MAP_FIELDS, WALK_FIELDS } from '@flowgrad/gridworld';
import { modelNames, modelOptions, models } from '@flowgrad/models';
import { rangeOf } from '@flowgrad/schema';
import type { Field, Fields } from '@flowgrad/schema';
import fc from 'fast-check';
import { nestedSettings, runFields } from '../run/run-fields.ts';

/** So small that a run of them takes milliseconds. */
const most: Readonly<Record<string, number>> = {
  ...{ size: 5, steps: 3, rollouts: 4, sigma: 3, nodeDrop: 0.5, edgeDrop: 0.5 },
  ...{
    d: 9,
    heads: 4,
    attentionChannels: 4,
    batch: 40,
    frequencies: 3,
    weightDecay: 0.1,
    memory: 5,
    clock: 5,
    worlds: 2,
    keepNodes: 9,
    keepEdges: 9,
  },
};
const least: Readonly<Record<string, number>> = { size: 2, steps: 1, sigma: 0.05, batch: 4 };

/** A value that the field accepts. */
export function arbitraryValue(name: string, field: Field): fc.Arbitrary<unknown> {
  switch (field.kind) {
    case 'choice':
      return fc.constantFrom(...field.choices);
    case 'switch':
      return fc.boolean();
    case 'numbers':
      return fc.array(fc.double({ min: 0, max: 0.1, noNaN: true }), { minLength: 1, maxLength: 4 });
  }
  const [lowest, highest] = rangeOf(field);
  const min = least[name] ?? lowest;
  const max = Math.min(highest, most[name] ?? 2 ** 40);
  const isWhole = field.kind === 'integer' || field.kind === 'seed';
  // JSON has no −0.
  return isWhole ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true }).map((value) => value + 0);
}

const all = (fields: Fields): fc.Arbitrary<object> =>
  fc.record(
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, arbitraryValue(name, field)])),
  );

const world = fc
  .record({
    numbers: all({ ...MAP_FIELDS, ...WALK_FIELDS }),
    latentDirection: fc.oneof(fc.constantFrom(...Object.values(DYNAMICS)), all(LATENT_FIELDS)),
    name: fc.constantFrom('own', 'Grüße, 世界', 'a b', 'OWN-SZ4'),
  })
  .map(({ numbers, ...others }) => ({ ...numbers, ...others }));

const groups = ['LINE-SZ4-STP2-NDRP-STD0.3', 'HISTORY-SZ3-STP1-EDRP-STD0.5', 'SINE-SZ5-STP3-NDRP-STD1'];

const prunes: readonly string[] = ['RW-Stationary', 'RW-Dynamic', 'GGNN-Mul', 'GAT-MulMlp', 'Walker'];
const present = (settings: object): object =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));

/** Settings of a tiny run, each of a kind and range that its field accepts; they need not fit together. */
export const arbitraryRun: fc.Arbitrary<object> = fc
  .record({ group: fc.oneof(world, fc.constantFrom(...groups)), model: fc.constantFrom(...modelNames) })
  .chain(({ group, model }) => {
    const isTaken = ([name]: [string, Field]): boolean =>
      !Object.hasOwn(modelOptions, name) || models[model].options.some((option) => option === name);
    const fields = Object.entries(runFields).filter(isTaken);
    const values = fields.map(([name, field]) => [name, arbitraryValue(name, field)]);
    return fc
      .record(Object.fromEntries(values) as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: ['d'] })
      .map(({ embeddings, keepNodes, keepEdges, ...flat }) => ({
        group,
        model,
        ...nestedSettings({
          ...flat,
          // Pruned flow is for cones of explicit flow.
          ...(prunes.includes(model) && flat['plan'] !== 'dense' && present({ keepNodes, keepEdges })),
          ...('frequencies' in flat && embeddings !== undefined && { embeddings }),
        }),
      }));
  });

/** What programs stumble over. */
export const oddValues: readonly unknown[] = [
  ...[
    null,
    undefined,
    true,
    false,
    '',
    'x',
    '5',
    '-1',
    'false',
    '<script>',
    '__proto__',
    'toString',
    '..',
    '\u0000',
  ],
  ...[0, -0, 1, -1, 0.5, 1e-320, 1e9, 2 ** 31, 2 ** 32, 2 ** 53, 1e308, NaN, Infinity, -Infinity],
  ...[[], {}, [[]], [null], [NaN], ['a'], [1e308, -1], { a: 1 }, { length: 3 }, { d: 4 }, { frequencies: 2 }],
  ...[{ toString: 1, valueOf: 2 }, [{ toString: 1, valueOf: 2 }], [[[]], null]],
];

type Step = {
  readonly at: number;
  readonly odd: unknown;
  readonly key: string;
  readonly how: 'put' | 'drop' | 'add';
};

const step: fc.Arbitrary<Step> = fc.record({
  at: fc.nat(1000),
  odd: fc.oneof(fc.constantFrom(...oddValues), fc.double(), fc.integer(), fc.string()),
  key: fc.constantFrom(
    'size',
    'd',
    'heads',
    'seed',
    'epochs',
    'batch',
    'name',
    '__proto__',
    'constructor',
    '',
    'D',
  ),
  how: fc.constantFrom('put', 'put', 'put', 'drop', 'add'),
});

/** The settings of a tiny run with one to three things wrong, anywhere in them. */
export const mutatedRun: fc.Arbitrary<unknown> = fc
  .tuple(arbitraryRun, fc.array(step, { minLength: 1, maxLength: 3 }))
  .map(([run, steps]) => steps.reduce(mutated, run));

/** `at` counts all places, the whole value first. */
function mutated(value: unknown, { at, odd, key, how }: Step): unknown {
  const root = { value: copyOf(value) };
  const places: [holder: Record<string, unknown>, key: string][] = [];
  const visit = (holder: object): void => {
    for (const [name, inner] of Object.entries(holder)) {
      places.push([holder as Record<string, unknown>, name]);
      if (typeof inner === 'object' && inner !== null) visit(inner as object);
    }
  };
  visit(root);
  const [holder, name] = places[at % places.length];
  if (how === 'drop') delete holder[name];
  else
    Object.defineProperty(holder, how === 'put' ? name : key, {
      value: odd,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return root.value;
}

function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  // Not by `map`, which asks the list for its constructor.
  if (Array.isArray(value)) return Array.from<unknown, unknown>(value, copyOf);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, copyOf(inner)]));
}
