/** Chooses models, how they are trained, and on what. */
import { flatSettings } from '@flowgrad/evaluation';
import { modelNames } from '@flowgrad/models';
import type { ModelName } from '@flowgrad/models';
import { formFields, isTaken, withModel, withSetting } from '../configuration/run-form.ts';
import { deviceFields } from '../protocol/training-protocol.ts';
import { element } from './element.ts';
import { selectField, settingFields } from './fields.ts';
import type { Playground } from './playground.ts';
import type { State } from './state.ts';
import type { Store } from './store.ts';
import { keepWrongFields } from './wrong-fields.ts';

const names = modelNames.map((name) => [name, name] as const);
const none = ['', 'nothing'] as const;

export function modelPanel(store: Store<State>, { configure }: Playground): HTMLElement {
  const { get, draw } = store;
  const onWrong = keepWrongFields(store);
  const model = selectField<ModelName>('Model', names, (name) => {
    const { configuration } = get();
    const [first, ...others] = configuration.runs;
    void configure({ ...configuration, runs: [withModel(first, name), ...others] });
  });
  const beside = selectField<ModelName | ''>('Compare with', [none, ...names], (name) => {
    const { configuration } = get();
    const [first, second = first] = configuration.runs;
    void configure({ ...configuration, runs: name === '' ? [first] : [first, withModel(second, name)] });
  });
  const device = settingFields(deviceFields, {
    onChange: (changes) => {
      const { configuration } = get();
      void configure({ ...configuration, device: { ...configuration.device, ...changes } });
    },
    onWrong,
  });
  const settings = settingFields(formFields, {
    onChange: (changes) => {
      const { configuration } = get();
      void configure({ ...configuration, runs: configuration.runs.map((run) => withSetting(run, changes)) });
    },
    onWrong,
    isPartial: true,
  });
  const fields = element(
    'fieldset',
    {},
    element('div', { className: 'fields' }, model.element, beside.element, device.elements.device),
    element(
      'details',
      {},
      element('summary', {}, 'Settings'),
      element(
        'div',
        { className: 'fields' },
        ...[...Object.values(settings.elements), device.elements.threads, device.elements.simd],
      ),
    ),
  );
  const facts = element('p', { className: 'facts' });

  draw(['configuration'], ({ configuration }) => {
    const [run, second] = configuration.runs;
    model.show(run.model);
    beside.show(second?.model ?? '');
    device.show(configuration.device);
    settings.show(flatSettings(run), (name) =>
      configuration.runs.some((each) => isTaken(each, name, !configuration.data)),
    );
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
