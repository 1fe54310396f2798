/** Every configuration comes back from its link as what it was. */
import { resolveRun } from '@flowgrad/evaluation';
import type { RunConfig, RunSettings } from '@flowgrad/evaluation';
import { arbitraryRun } from '@flowgrad/evaluation/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { choiceOf, firstConfiguration, placeOf } from './configuration.ts';
import type { Configuration, RunChoice } from './configuration.ts';
import { fromLink, toLink } from './link.ts';

const seed = Number(process.env['FLOWGRAD_TEST_SEED'] ?? 20261117);

const resolved = (settings: object): RunConfig | undefined => {
  try {
    return resolveRun(settings as RunSettings);
  } catch {
    return undefined;
  }
};
const run = arbitraryRun.map((settings) => ({
  settings: settings as RunSettings,
  config: resolved(settings),
}));
const accepted = run.filter(({ config }) => config !== undefined);

/** As a form leaves it, with every setting, or as somebody wrote it, with some. */
const configurations: fc.Arbitrary<Configuration> = fc
  .record({
    first: accepted,
    second: fc.option(accepted),
    isWhole: fc.boolean(),
    device: fc.record({
      device: fc.constantFrom('auto', 'webgpu', 'wasm'),
      simd: fc.constantFrom('auto', 'plain', 'relaxed'),
      threads: fc.integer({ min: 0, max: 64 }),
    }),
    source: fc.option(fc.record({ x: fc.nat(9), y: fc.nat(9) })),
  })
  .map(({ first, second, isWhole, device, source }) => {
    const choice = ({ settings, config }: typeof first): RunChoice => {
      const { group: _, seed: __, options = {}, ...others } = settings;
      return isWhole ? choiceOf(config!) : { options, ...others };
    };
    const { group, seed: seedOf } = first.config!;
    return {
      ...placeOf(group, firstConfiguration.world),
      seed: seedOf,
      runs: [first, ...(second ? [second] : [])].map(choice),
      device,
      ...(source && { source }),
    };
  });

it('a link is read back as the configuration it was made of, whatever that is', () => {
  fc.assert(
    fc.property(configurations, (configuration) => {
      expect(fromLink(toLink(configuration))).toEqual(configuration);
    }),
    { seed, numRuns: 1500 },
  );
});

it.for<[string, string]>([
  ['d=banana', "link: expected d to be a number, got 'banana'"],
  ['heads=-1', 'link: expected heads to be an integer ≥ 1, got -1'],
  ['globalReduction=<script>', "link: expected globalReduction to be sum or mean, got '<script>'"],
  ['globalReduction2=<script>', "link: expected globalReduction to be sum or mean, got '<script>'"],
  ['threads=1.5', 'link: expected threads to be an integer in 0..64, got 1.5'],
  ['messageMemory=-5', 'link: expected messageMemory to be a number of bytes ≥ 0, got -5'],
  ['embeddings=no&frequencies=2', "link: expected embeddings to be true or false, got 'no'"],
  ['rates=0.1,', "link: expected rates to be one or more numbers ≥ 0, got '0.1,'"],
  ['source=,', "link: expected source to be a cell x,y, got ','"],
  ['model=GAT&d=16&heads=3', 'run: expected heads to be a divisor of d = 16, got 3'],
  ['nodeDrop=1', 'run: group: expected at least 3 nodes'],
])('%s is refused: %s', ([link, message]) => {
  expect(() => fromLink(link)).toThrow(message);
});

it('a link carries the memory of messages, and a direction that leads nowhere', () => {
  const [first] = firstConfiguration.runs;
  const still = {
    a1: 0,
    b1: 0,
    a2: 0,
    b2: 0,
    omega: 0,
    lambda1: 0,
    lambda2: 0,
    phi: 0,
    history: 'sum',
  } as const;
  const configuration: Configuration = {
    ...firstConfiguration,
    world: { ...firstConfiguration.world, latentDirection: still },
    runs: [{ ...first, options: { d: 8, messageMemory: 5 } }],
  };
  expect(toLink(configuration)).toContain('messageMemory=5');
  expect(fromLink(toLink(configuration))).toEqual(configuration);
});
