/** Chooses models, how they are trained, and on what. */
import { modelNames } from '@flowgrad/models';
import type { ModelName } from '@flowgrad/models';
import type { RunChoice } from '../configuration/configuration.ts';
import type { DeviceSettings } from '../protocol/training-protocol.ts';
import { element } from './element.ts';
import { numberField, selectField, textField } from './fields.ts';
import type { Playground } from './playground.ts';
import type { State } from './state.ts';
import type { Store } from './store.ts';

const names = modelNames.map((name) => [name, name] as const);
const none = ['', 'nothing'] as const;

export function modelPanel({ get, draw }: Store<State>, { configure }: Playground): HTMLElement {
  const changeRuns = (change: (run: RunChoice) => RunChoice): void => {
    const { configuration } = get();
    void configure({ ...configuration, runs: configuration.runs.map(change) });
  };
  const changeDevice = (changes: Partial<DeviceSettings>): void => {
    const { configuration } = get();
    void configure({ ...configuration, device: { ...configuration.device, ...changes } });
  };

  const model = selectField<ModelName>('Model', names, (name) => {
    const { configuration } = get();
    const [first, ...others] = configuration.runs;
    void configure({ ...configuration, runs: [{ ...first, model: name }, ...others] });
  });
  const beside = selectField<ModelName | ''>('Compare with', [none, ...names], (name) => {
    const { configuration } = get();
    const [first, second = first] = configuration.runs;
    void configure({ ...configuration, runs: name === '' ? [first] : [first, { ...second, model: name }] });
  });
  const device = selectField<DeviceSettings['device']>(
    'Device',
    [
      ['auto', 'automatic'],
      ['webgpu', 'WebGPU'],
      ['wasm', 'WebAssembly'],
    ],
    (value) => changeDevice({ device: value }),
  );
  const whole = (
    label: string,
    title: string,
    least: number,
    onChange: (value: number) => void,
    most = 65536,
  ) => numberField({ label, title, min: least, max: most, step: 1, onChange });
  const width = whole(
    'd',
    'The width of states',
    1,
    (d) => changeRuns((run) => ({ ...run, options: { ...run.options, d } })),
    1024,
  );
  const batch = whole('Batch', 'Examples in a step', 1, (value) =>
    changeRuns((run) => ({ ...run, batch: value })),
  );
  const epochs = whole('Epochs', 'Passes over the training pairs', 1, (value) =>
    changeRuns((run) => ({ ...run, epochs: value })),
  );
  const rates = textField(
    'Learning rates',
    'Each for an equal part of the epochs, with commas between',
    (text) => changeRuns((run) => ({ ...run, learningRates: text.split(',').map(Number) })),
  );
  const shuffling = whole('Shuffling', 'The seed of start values and of the order of examples', 0, (value) =>
    changeRuns((run) => ({ ...run, shuffling: value })),
  );
  const frequencies = whole(
    'Fourier features',
    'Frequencies of the coordinates as inputs; 0 for none',
    0,
    (value) =>
      changeRuns(({ features: _, ...run }) => ({
        ...run,
        ...(value > 0 && { features: { frequencies: value } }),
      })),
  );
  const threads = whole('Threads', 'Of WebAssembly; 0 is one for each core', 0, (value) =>
    changeDevice({ threads: Math.min(value, 64) }),
  );
  const simd = selectField<DeviceSettings['simd']>(
    'SIMD',
    [
      ['auto', 'fastest'],
      ['plain', 'plain: same bits everywhere'],
      ['relaxed', 'relaxed'],
    ],
    (value) => changeDevice({ simd: value }),
  );
  const fields = element(
    'fieldset',
    {},
    element('div', { className: 'fields' }, model.element, beside.element, device.element),
    element(
      'details',
      {},
      element('summary', {}, 'Settings'),
      element(
        'div',
        { className: 'fields' },
        ...[width, batch, epochs, rates, shuffling, frequencies, threads, simd].map((each) => each.element),
      ),
    ),
  );
  const facts = element('p', { className: 'facts' });

  draw(['configuration'], ({ configuration }) => {
    const [run, second] = configuration.runs;
    model.show(run.model);
    beside.show(second?.model ?? '');
    device.show(configuration.device.device);
    width.show(run.options?.d ?? 40);
    batch.show(run.batch ?? 16);
    epochs.show(run.epochs ?? 50);
    rates.show((run.learningRates ?? []).join(', '));
    shuffling.show(run.shuffling ?? 1);
    frequencies.show(run.features?.frequencies ?? 0);
    threads.show(configuration.device.threads);
    simd.show(configuration.device.simd);
  });
  draw(['phase'], ({ phase }) => {
    fields.disabled = phase === 'training';
  });
  draw(['runs'], ({ runs }) => {
    const counts = runs.map(({ parameterCount }) => parameterCount.toLocaleString('en'));
    const warnings = new Set(runs.flatMap((run) => run.warnings));
    facts.textContent = runs.length > 0 ? [`${counts.join(' and ')} parameters`, ...warnings].join('. ') : '';
  });
  return element(
    'section',
    { className: 'panel', 'aria-label': 'Model' },
    element('h2', {}, 'Model'),
    fields,
    facts,
  );
}
