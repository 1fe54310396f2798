/**
 * A configuration as the part of an address behind '#', in words that a person can read and edit:
 *
 *   dynamics=SINE&size=16&steps=8&…&seed=1&model=GGNN-MulMlp&d=16&…&model2=RW-Stationary&device=auto
 *
 * Everything is written out, so that a link means the same when defaults have changed. Settings of the second run
 * end in 2, and are left out where they are the first's.
 */
import { DYNAMICS } from '@flowgrad/gridworld';
import type { DynamicsName, LatentDirection } from '@flowgrad/gridworld';
import { expectOneOf, unknownName } from '@flowgrad/tensor';
import { checkConfiguration, dynamicsName, firstConfiguration } from './configuration.ts';
import type { Configuration, RunChoice } from './configuration.ts';

const where = 'link';
const worldNumbers = ['size', 'steps', 'sigma', 'nodeDrop', 'edgeDrop', 'rollouts'] as const;
const latentNumbers = ['a1', 'b1', 'a2', 'b2', 'omega', 'lambda1', 'lambda2', 'phi'] as const;
const runNumbers = ['shuffling', 'epochs', 'batch'] as const;
const optionNumbers = ['d', 'weightDecay', 'attentionChannels', 'heads'] as const;

/** A whole configuration takes some 400 characters. */
export const longestLink = 4096;

/** The most that a link may ask for: the page that it opens makes the world and the models at once. */
const largest: Readonly<Record<string, number>> = {
  ...{ size: 128, steps: 128, rollouts: 10_000, threads: 64 },
  ...{ d: 1024, attentionChannels: 1024, heads: 64, frequencies: 512, epochs: 1e6, batch: 65_536 },
};

export function toLink(configuration: Configuration): string {
  const { world, seed, runs, device, source } = configuration;
  const fields = new URLSearchParams();
  const put = (entries: Record<string, unknown>): void => {
    for (const [key, value] of Object.entries(entries)) fields.set(key, String(value));
  };
  const dynamics = dynamicsName(world.latentDirection);
  put(dynamics ? { dynamics } : { ...world.latentDirection });
  for (const key of worldNumbers) put({ [key]: world[key] });
  put({ seed, ...fieldsOf(runs[0]) });
  if (runs.length > 1) {
    const first = fieldsOf(runs[0]);
    for (const [key, value] of Object.entries({ ...blank(first), ...fieldsOf(runs[1]) })) {
      if (value !== first[key] || key === 'model') put({ [`${key}2`]: value });
    }
  }
  put({ ...device });
  if (source) put({ source: `${source.x},${source.y}` });
  // Commas and the like are allowed there, and easier to read as themselves.
  return fields.toString().replaceAll('%2C', ',');
}

/** A setting that only the first run has is written as nothing for the second. */
const blank = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.keys(fields).map((key) => [key, '']));

function fieldsOf({ model, options = {}, features, learningRates, plan, ...run }: RunChoice) {
  const fields: Record<string, unknown> = { model, ...options, ...run, plan };
  if (learningRates) fields['rates'] = learningRates.join(',');
  if (features) {
    fields['frequencies'] = features.frequencies;
    fields['embeddings'] = features.embeddings ?? true;
  }
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([key, value]) => [key, String(value)]));
}

/** What is left out is as in the page's first configuration; what is not known or not right is an error. */
export function fromLink(link: string): Configuration {
  if (link.length > longestLink)
    throw new RangeError(`${where}: expected at most ${longestLink} characters, got ${link.length}`);
  const fields = new URLSearchParams(link.replace(/^#/, ''));
  const known = new Set<string>();
  const text = (key: string): string | undefined => {
    known.add(key);
    return fields.get(key) ?? undefined;
  };
  const number = (key: string, otherwise: number): number => {
    const value = text(key);
    return value === undefined ? otherwise : numberOf(key, value);
  };
  const first = firstConfiguration;
  const configuration: Configuration = {
    world: {
      ...first.world,
      ...Object.fromEntries(worldNumbers.map((key) => [key, number(key, first.world[key])])),
      latentDirection: latentOf(text, number),
    },
    seed: number('seed', first.seed),
    runs: runsOf(fields, text),
    device: {
      device: choice('device', ['auto', 'webgpu', 'wasm'], text('device') ?? first.device.device),
      simd: choice('simd', ['auto', 'plain', 'relaxed'], text('simd') ?? first.device.simd),
      threads: number('threads', first.device.threads),
    },
    ...sourceOf(text('source')),
  };
  for (const key of fields.keys()) {
    if (!known.has(key)) throw new RangeError(`${where}: ${unknownName('a key', key, [...known])}`);
  }
  checkConfiguration(configuration);
  return configuration;
}

function numberOf(key: string, text: string): number {
  const value = text.trim() === '' ? NaN : Number(text);
  if (!Number.isFinite(value))
    throw new RangeError(`${where}: expected ${key} to be a number, got '${text}'`);
  const most = largest[key] ?? Infinity;
  if (Math.abs(value) > most)
    throw new RangeError(`${where}: expected ${key} to be at most ${most}, got ${text}`);
  return value;
}

type Text = (key: string) => string | undefined;

function latentOf(text: Text, number: (key: string, otherwise: number) => number): LatentDirection {
  const name = text('dynamics');
  const own = latentNumbers.map((key) => [key, number(key, 0)] as const);
  const history = choice('history', ['none', 'max', 'sum'], text('history') ?? 'none');
  if (name !== undefined) {
    return DYNAMICS[choice('dynamics', Object.keys(DYNAMICS) as DynamicsName[], name)];
  }
  if (own.every(([, value]) => value === 0)) return firstConfiguration.world.latentDirection;
  return { ...(Object.fromEntries(own) as unknown as LatentDirection), history };
}

function runsOf(fields: URLSearchParams, text: Text): RunChoice[] {
  const [standard] = firstConfiguration.runs;
  const standardFields = fieldsOf(standard);
  const keys = [
    ...['model', ...runNumbers, ...optionNumbers, 'globalReduction', 'rates', 'plan'],
    ...['frequencies', 'embeddings'],
  ];
  const read = (suffix: string, otherwise: Record<string, string>): Record<string, string> =>
    Object.fromEntries(
      keys.flatMap((key) => {
        const value = text(`${key}${suffix}`) ?? otherwise[key] ?? '';
        return value === '' ? [] : [[key, value]];
      }),
    );
  const first = read('', standardFields);
  const second = read('2', first);
  return fields.has('model2') ? [runOf(first), runOf(second)] : [runOf(first)];
}

function runOf(fields: Record<string, string>): RunChoice {
  const numbers = (keys: readonly string[]): object =>
    Object.fromEntries(
      keys.filter((key) => fields[key] !== undefined).map((key) => [key, numberOf(key, fields[key])]),
    );
  const { model, globalReduction, rates, plan, frequencies, embeddings } = fields;
  return {
    model: model as RunChoice['model'],
    ...numbers(runNumbers),
    options: { ...numbers(optionNumbers), ...(globalReduction && { globalReduction }) } as NonNullable<
      RunChoice['options']
    >,
    ...(rates && { learningRates: rates.split(',').map(Number) }),
    plan: plan as 'cone' | 'dense',
    ...(frequencies && {
      features: { frequencies: numberOf('frequencies', frequencies), embeddings: embeddings !== 'false' },
    }),
  };
}

function sourceOf(value: string | undefined): Pick<Configuration, 'source'> {
  if (value === undefined) return {};
  const [x, y] = value.split(',').map(Number);
  if (!Number.isInteger(x) || !Number.isInteger(y))
    throw new RangeError(`${where}: expected source to be a cell x,y, got '${value}'`);
  return { source: { x, y } };
}

function choice<Choice extends string>(key: string, choices: readonly Choice[], value: string): Choice {
  return expectOneOf(where, key, value, choices);
}
