import fc from 'fast-check';
import { modelNames } from '@flowgrad/models';
import type { ModelName } from '@flowgrad/models';
import { expect, it } from 'vitest';
import { firstConfiguration, groupOf, linkRun, runSettings } from './configuration.ts';
import type { Configuration } from './configuration.ts';
import { shippedDatasets } from '../data/shipped.ts';
import { fromLink, longestLink, toLink } from './link.ts';
import { isTaken, replacedOn, withData, withModel, withSetting } from './run-form.ts';

it('a link is read back as the configuration it was made of', () => {
  expect(fromLink(toLink(firstConfiguration))).toEqual(firstConfiguration);
});

it.for(modelNames)('a link carries %s', (model) => {
  const [run] = firstConfiguration.runs;
  const configuration = { ...firstConfiguration, runs: [{ ...run, model }] };
  expect(fromLink(toLink(configuration))).toEqual(configuration);
});

it('a link carries a world of one’s own, a second run with settings of its own, and a source', () => {
  const [run] = firstConfiguration.runs;
  const configuration: Configuration = {
    world: {
      size: 9,
      steps: 5,
      sigma: 0.35,
      nodeDrop: 0.05,
      edgeDrop: 0.15,
      rollouts: 7,
      latentDirection: {
        ...{ a1: 1, b1: 0.25, a2: -1, b2: 0, omega: 0.3, lambda1: 0.1, lambda2: 0, phi: 1.5 },
        history: 'sum',
      },
    },
    seed: 77,
    runs: [
      { ...run, features: { frequencies: 8, embeddings: false }, options: { d: 12, weightDecay: 1e-7 } },
      {
        ...run,
        model: 'GAT-Mul',
        options: { d: 20, heads: 4 },
        batch: 3,
        learningRates: [1e-3],
        plan: 'dense',
      },
    ],
    device: { device: 'wasm', simd: 'plain', threads: 1 },
    source: { x: 3, y: 8 },
  };
  const link = toLink(configuration);
  expect(fromLink(`#${link}`)).toEqual(configuration);
  expect(link).toMatch(/^[\w.,=&-]+$/);
  expect(link).not.toMatch(/shuffling2/);
});

it('a link of an earlier page means what it did: a run that says nothing of features has none', () => {
  const [run] = fromLink('size=12&model=GGNN&epochs=3').runs;
  expect(run).toEqual({ ...linkRun, model: 'GGNN', epochs: 3 });
});

it('another model brings its own features, and takes them with it; a setting of them leaves the others', () => {
  const [walker] = firstConfiguration.runs;
  expect(withModel(walker, 'GGNN')).not.toHaveProperty('features');
  expect(withModel(withModel(walker, 'GGNN'), 'Walker').features).toEqual({ waves: 2, embeddings: false });
  const fourier = { ...linkRun, features: { frequencies: 4 } };
  expect(withModel(fourier, 'GAT').features).toEqual({ frequencies: 4 });
  expect(withSetting(walker, { epochs: 3 })).toEqual({ ...walker, epochs: 3 });
});

it('what is not right in a link is named', () => {
  expect(() => fromLink('siez=12')).toThrow(/link: expected a key among .*size.*, got 'siez'/);
  expect(() => fromLink('size=big')).toThrow("link: expected size to be a number, got 'big'");
  expect(() => fromLink('model=GNN')).toThrow(/expected model among RW-Stationary/);
  expect(() => fromLink('batch=0')).toThrow(/expected batch to be an integer/);
  expect(() => fromLink('device=tpu')).toThrow(/expected device among auto, webgpu, wasm, got 'tpu'/);
});

it('a world has its group’s name where there is one', () => {
  expect(groupOf(firstConfiguration.world)).toBe('SINE-SZ16-STP8-NDRP-STD0.2');
  const own = groupOf({ ...firstConfiguration.world, nodeDrop: 0.3 });
  expect(own).toMatchObject({ name: 'SINE-SZ16-STP8-N0.3-E0-STD0.2', nodeDrop: 0.3 });
});

it('options that a model does not take are not handed to it', () => {
  const [run] = firstConfiguration.runs;
  const runs = [{ ...run, options: { d: 8, heads: 4 } }];
  expect(runSettings({ ...firstConfiguration, runs }, 0).options).toEqual({ d: 8 });
});

it('a link does not ask for more than a page can make', () => {
  for (const [key, most] of Object.entries({
    size: 128,
    steps: 128,
    rollouts: 10_000,
    threads: 64,
    d: 1024,
  })) {
    expect(() => fromLink(`${key}=${most}`)).not.toThrow();
    expect(() => fromLink(`${key}=${most + 1}`)).toThrow(
      `link: expected ${key} to be at most ${most}, got ${most + 1}`,
    );
    expect(() => fromLink(`${key}=-1e300`)).toThrow(`link: expected ${key} to be at most ${most}`);
  }
  expect(() => fromLink('model2=GAT-Mul&heads2=1e9')).toThrow(
    'link: expected heads to be at most 64, got 1e9',
  );
  expect(() => fromLink('d=wide')).toThrow("link: expected d to be a number, got 'wide'");
  expect(() => fromLink(`seed=1${' '.repeat(longestLink)}`)).toThrow(
    'link: expected at most 4096 characters, got 4102',
  );
});

it('whatever a link says, it is read as a small configuration or refused in our words', () => {
  const links = [
    toLink(firstConfiguration),
    'a1=1&omega=0.3&history=sum&size=9&source=3,8&frequencies=8&embeddings=false',
    'model=GAT-Mul&heads=4&d=8&model2=FullGN-MulMlp&globalReduction2=mean&rates2=0.1,0.2',
  ];
  const keys = [...new URLSearchParams(links.join('&')).keys(), '__proto__', 'constructor', 'toString', ''];
  const numbers = [
    '1e308',
    '-1',
    '1e9',
    '9007199254740993',
    'NaN',
    'Infinity',
    '0x10',
    '1e-320',
    ' ',
    '1,2,3',
  ];
  const words = ['__proto__', 'constructor', 'hasOwnProperty', '%00', '%zz', '%ED%A0%80', '+', 'null', '🙂'];
  const change = fc.oneof(
    fc.record({ at: fc.nat(300), remove: fc.nat(20), put: fc.constantFrom(...'019-.,=&%+#e\0ü') }),
    fc.record({ key: fc.constantFrom(...keys), value: fc.constantFrom(...numbers, ...words) }),
    fc.record({ at: fc.nat(300), remove: fc.nat(300), put: fc.string({ unit: 'binary', maxLength: 8 }) }),
  );
  const changes = fc.tuple(fc.constantFrom(...links), fc.array(change, { minLength: 1, maxLength: 3 }));
  const verdicts = { read: 0, refused: 0 };
  fc.assert(
    fc.property(changes, ([link, edits]) => {
      const changed = edits.reduce(
        (text, edit) =>
          'key' in edit
            ? `${text}&${edit.key}=${edit.value}`
            : text.slice(0, edit.at) + edit.put + text.slice(edit.at + edit.remove),
        link,
      );
      try {
        const { world, runs, device } = fromLink(changed);
        verdicts.read += 1;
        const isSmall = Math.max(world.size, world.steps, device.threads) <= 128;
        return isSmall && runs.every(({ options }) => (options?.d ?? 0) <= 1024);
      } catch (error) {
        verdicts.refused += 1;
        return /^[^:]+: .*(expected|could not resolve)/s.test((error as Error).message);
      }
    }),
    { seed: 20261117, numRuns: 3000 },
  );
  expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  expect(Math.min(verdicts.read, verdicts.refused)).toBeGreaterThan(300);
});

const [{ card: transit }] = shippedDatasets;
const roads = { ...transit, name: 'my roads & paths', sha256: 'a'.repeat(64), queries: 3 };

it('a link carries a dataset that comes with the page by name, and one of one’s own by its hash', () => {
  const on = (data: typeof transit): Configuration => ({
    ...withData({ ...firstConfiguration, source: { x: 1, y: 2 } }, data),
    source: { node: 17 },
  });
  expect(toLink(on(transit))).toMatch(/^data=transit&seed=1&.*&source=17$/);
  expect(fromLink(toLink(on(transit)))).toEqual(on(transit));
  const asked = { ...on(roads), query: 2 };
  expect(fromLink(toLink(asked), [roads])).toEqual(asked);
  expect(() => fromLink(toLink(asked))).toThrow(
    'link: expected the dataset my roads & paths (SHA-256 aaaaaaaaaaaa…) to be open, got another or none (open the folder',
  );
  expect(() => fromLink('data=transti')).toThrow("link: expected data among transit, got 'transti'");
  expect(() => fromLink('sha256=aa')).toThrow('link: expected data beside sha256, got none');
  expect(() => fromLink('data=transit&source=1,2')).toThrow(
    "link: expected source to be a node of the data by its number, got '1,2'",
  );
});

it('on a dataset a run has nothing of grids, has them again on the world, and a model that suits it', () => {
  const [walker] = firstConfiguration.runs;
  const many = { ...firstConfiguration, runs: [{ ...walker, worlds: 4 }] };
  const { features: _, worlds: __, ...plain } = runSettings(many, 0);
  expect(runSettings({ ...many, data: transit }, 0)).toEqual({ ...plain, group: transit });
  expect(withData({ ...many, data: transit }, undefined)).toEqual(many);
  const modelOn = (data: typeof transit, model: ModelName) =>
    withData({ ...many, runs: [{ ...linkRun, model }] }, data).runs[0].model;
  expect([modelOn(transit, 'Walker'), modelOn(transit, 'GAT'), modelOn(roads, 'GAT')]).toEqual([
    'Walker',
    'GAT',
    'GGNN-MulMlp',
  ]);
  expect(['waves', 'worlds', 'd'].map((name) => isTaken(walker, name, false))).toEqual([false, false, true]);
});

it('which models a dataset replaces, by which and why is said, and none is there twice for it', () => {
  const on = (data: typeof transit, ...models: ModelName[]) => {
    const runs = models.map((model) => ({ ...linkRun, model }));
    return {
      said: replacedOn(runs, data),
      models: withData({ ...firstConfiguration, runs }, data).runs.map(({ model }) => model),
    };
  };
  expect(on(transit, 'Walker', 'GAT')).toEqual({ said: '', models: ['Walker', 'GAT'] });
  expect(on(roads, 'Walker', 'RW-Dynamic')).toEqual({
    said: 'Walker is replaced by GGNN-MulMlp: the examples of my roads & paths have queries, and Walker takes none.',
    models: ['GGNN-MulMlp', 'RW-Dynamic'],
  });
  expect(on(roads, 'GAT', 'GGNN')).toEqual({
    said: 'GAT and GGNN are replaced by GGNN-MulMlp: the examples of my roads & paths have queries, and GAT and GGNN take none.',
    models: ['GGNN-MulMlp'],
  });
  expect(on(roads, 'GGNN-MulMlp', 'GAT').models).toEqual(['GGNN-MulMlp']);
});
