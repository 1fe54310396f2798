/**
 * A configuration as the part of an address behind '#', in words that a person can read and edit:
 *
 *   size=16&steps=8&…&dynamics=SINE&seed=1&model=GGNN-MulMlp&d=16&…&model2=RW-Stationary&device=auto
 *
 * Everything is written out, so that a link means the same when defaults have changed. Settings of the second run
 * end in 2, and are left out where they are the first's. In place of the world there may be a dataset, `data=transit`; one
 * that does not come with the page has its hash beside its name, as a link does not carry it.
 */
import { flatSettings, nestedSettings, runFields } from '@flowgrad/evaluation';
import type { DatasetCard, FlatSettings } from '@flowgrad/evaluation';
import { DYNAMICS, LATENT_FIELDS } from '@flowgrad/gridworld';
import type { DynamicsName, LatentDirection } from '@flowgrad/gridworld';
import { modelNames } from '@flowgrad/models';
import { fromText, gotInstead, holds, rangeOf, toText, wanted } from '@flowgrad/schema';
import type { Field, Fields, Naming } from '@flowgrad/schema';
import { unknownName } from '@flowgrad/tensor';
import { MissingDataError } from '../data/missing-data-error.ts';
import { shippedDatasets } from '../data/shipped.ts';
import { deviceFields } from '../protocol/training-protocol.ts';
import {
  checkConfiguration,
  dynamicsName,
  firstConfiguration,
  linkRun,
  worldFields,
} from './configuration.ts';
import type { Configuration, RunChoice } from './configuration.ts';

const where = 'link';
const { seed, learningRates, ...others } = runFields;
const dynamicsField: Field = {
  kind: 'choice',
  choices: Object.keys(DYNAMICS),
  about: 'how the latent direction changes',
};
const ofRun: Fields = {
  model: { kind: 'choice', choices: modelNames, about: 'a model' },
  ...others,
  rates: learningRates,
};
const worldNames = Object.keys(worldFields) as (keyof typeof worldFields)[];
const again = '2';
const known: readonly string[] = [
  ...Object.keys(worldFields),
  ...['dynamics', ...Object.keys(LATENT_FIELDS), 'seed'],
  ...Object.keys(ofRun).flatMap((key) => [key, key + again]),
  ...[...Object.keys(deviceFields), 'source', 'query', 'data', 'sha256'],
];
const queryField: Field = { kind: 'integer', least: 0, about: 'what is asked of a dataset, by its number' };
const shippedCards = shippedDatasets.map(({ card }) => card);

/** A whole configuration takes some 400 characters. */
export const longestLink = 4096;

/** The most that a page makes: it makes the world and the models of a link at once. */
export const pageLimits: Readonly<Record<string, number>> = {
  ...{
    size: 128,
    steps: 128,
    rollouts: 10_000,
    d: 1024,
    attentionChannels: 1024,
    heads: 64,
    memory: 256,
    worlds: 8,
  },
};

export function toLink({ world, data, seed, runs, device, source, query }: Configuration): string {
  const dynamics = dynamicsName(world.latentDirection);
  const [first, second] = runs.map(textsOf);
  const fields = new URLSearchParams();
  const put = (entries: object): void => {
    for (const [key, value] of Object.entries(entries)) fields.set(key, toText(value));
  };
  if (data) {
    put({ data: data.name });
    if (!shippedCards.some(({ sha256 }) => sha256 === data.sha256)) put({ sha256: data.sha256 });
  } else {
    put(dynamics ? { dynamics } : world.latentDirection);
    for (const key of worldNames) put({ [key]: world[key] });
  }
  put({ seed, ...differing(first, textsOf(linkRun), '') });
  if (second) put(differing(second, first, again));
  const start = source && ('node' in source ? String(source.node) : `${source.x},${source.y}`);
  put({ ...device, ...(start && { source: start }), ...(query !== undefined && { query }) });
  // Commas and the like are allowed there, and easier to read as themselves.
  return fields.toString().replaceAll('%2C', ',');
}

type Texts = Readonly<Record<string, string>>;

function textsOf(run: RunChoice): Texts {
  const { learningRates: rates, ...settings } = flatSettings(run);
  const given = Object.entries({ model: run.model, ...settings, rates }).filter(
    ([, value]) => value !== undefined,
  );
  return Object.fromEntries(given.map(([key, value]) => [key, toText(value)]));
}

/** What a run without some setting has is written as nothing. The second run has all that it shares with the first. */
function differing(own: Texts, before: Texts, suffix: '' | typeof again): Texts {
  const all = { ...Object.fromEntries(Object.keys(before).map((key) => [key, ''])), ...own };
  const isWritten = ([key, text]: [string, string]): boolean =>
    suffix === '' || key === 'model' || text !== before[key];
  return Object.fromEntries(
    Object.entries(all)
      .filter(isWritten)
      .map(([key, text]) => [key + suffix, text]),
  );
}

/**
 * What is left out is as in the page's first configuration, of a run as in `linkRun`; what is not known or not right is an
 * error. So is a dataset that is neither the page's own nor among those that are open.
 */
export function fromLink(link: string, open: readonly DatasetCard[] = []): Configuration {
  if (link.length > longestLink)
    throw new RangeError(`${where}: expected at most ${longestLink} characters, got ${link.length}`);
  const texts = new URLSearchParams(link.replace(/^#/, ''));
  for (const key of texts.keys()) {
    if (!known.includes(key)) throw new RangeError(`${where}: ${unknownName('a key', key, known)}`);
  }
  const { world, device, seed: firstSeed } = firstConfiguration;
  const read = (fields: Fields): object =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([key, field]) => {
        const text = texts.get(key);
        return text === null ? [] : [[key, valueOf(key, field, text)]];
      }),
    );
  const data = dataOf(texts, open);
  const configuration: Configuration = {
    ...(data && { data }),
    world: {
      ...world,
      ...read(worldFields),
      latentDirection: latentOf(read({ dynamics: dynamicsField, ...LATENT_FIELDS })),
    },
    seed: firstSeed,
    ...read({ seed }),
    runs: runsOf(texts, textsOf(linkRun)),
    device: { ...device, ...read(deviceFields) },
    ...sourceOf(texts.get('source'), data !== undefined),
    ...read({ query: queryField }),
  };
  checkConfiguration(configuration, keyOfPath);
  return configuration;
}

/** `options.d` → `d` */
const keyOfPath: Naming = (path) => (path === 'learningRates' ? 'rates' : path.split('.').at(-1)!);

function valueOf(name: string, field: Field, text: string): unknown {
  const value = fromText(field, text);
  const isNumber = field.kind !== 'choice' && field.kind !== 'switch' && field.kind !== 'numbers';
  if (isNumber && typeof value !== 'number')
    throw new RangeError(`${where}: expected ${name} to be a number, got '${text}'`);
  const most = pageLimits[name] ?? rangeOf(field)[1];
  if (isNumber && Math.abs(value as number) > most)
    throw new RangeError(`${where}: expected ${name} to be at most ${most}, got ${text}`);
  if (holds(field, value)) return value;
  throw new RangeError(`${where}: expected ${name} ${wanted(field)}, ${gotInstead(value, field)}`);
}

/** The paper's by name, or one's own: numbers that are left out are 0 then. */
function latentOf({
  dynamics,
  ...own
}: { readonly dynamics?: DynamicsName } & Partial<LatentDirection>): LatentDirection {
  if (dynamics) return DYNAMICS[dynamics];
  if (Object.keys(own).length === 0) return firstConfiguration.world.latentDirection;
  return { ...DYNAMICS.LINE, ...{ b1: 0, b2: 0 }, ...own };
}

function runsOf(texts: URLSearchParams, standard: Texts): RunChoice[] {
  const read = (suffix: string, otherwise: Texts): Texts =>
    Object.fromEntries(
      Object.keys(ofRun).flatMap((key) => {
        const text = texts.get(key + suffix) ?? otherwise[key] ?? '';
        return text === '' ? [] : [[key, text]];
      }),
    );
  const first = read('', standard);
  // Settings of a second run are looked at even where there is none.
  const second = runOf(read(again, first));
  return texts.has(`model${again}`) ? [runOf(first), second] : [runOf(first)];
}

function runOf(texts: Texts): RunChoice {
  const { model, rates, ...settings } = Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, valueOf(key, ofRun[key], text)]),
  );
  const flat: FlatSettings = { ...settings, ...(rates !== undefined && { learningRates: rates }) };
  return { model, options: {}, ...nestedSettings(flat) } as RunChoice;
}

/** By name what comes with the page, by hash what is open. */
function dataOf(texts: URLSearchParams, open: readonly DatasetCard[]): DatasetCard | undefined {
  const [name, sha256] = [texts.get('data'), texts.get('sha256')];
  if (name === null) {
    if (sha256 === null) return undefined;
    throw new RangeError(`${where}: expected data beside sha256, got none`);
  }
  const found =
    sha256 === null
      ? shippedCards.find((card) => card.name === name)
      : [...shippedCards, ...open].find((card) => card.sha256 === sha256);
  if (found) return found;
  if (sha256 === null) {
    const names = shippedCards.map((card) => card.name);
    throw new RangeError(`${where}: ${unknownName('data', name, names)}`);
  }
  throw new MissingDataError(where, name, sha256);
}

function sourceOf(text: string | null, isNode: boolean): Pick<Configuration, 'source'> {
  if (text === null) return {};
  const wrong = (what: string): Error =>
    new RangeError(`${where}: expected source to be ${what}, got '${text}'`);
  if (isNode) {
    if (!/^\d{1,9}$/.test(text)) throw wrong('a node of the data by its number');
    return { source: { node: Number(text) } };
  }
  const [, x, y] = /^(\d{1,4}),(\d{1,4})$/.exec(text) ?? [];
  if (x === undefined) throw wrong('a cell x,y');
  return { source: { x: Number(x), y: Number(y) } };
}
