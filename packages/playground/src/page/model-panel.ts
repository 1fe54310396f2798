/** Chooses models, how they are trained, and on what. */
import { modelNames } from '@flowgrad/models';
import type { ModelName } from '@flowgrad/models';
import { isSameTwice } from '../configuration/configuration.ts';
import {
  formFields,
  isTaken,
  shownSettings,
  withModel,
  withoutTwin,
  withSetting,
} from '../configuration/run-form.ts';
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
  const { get, set, draw } = store;
  const onWrong = keepWrongFields(store);
  const model = selectField<ModelName>('Model', names, (name) => {
    const { configuration } = get();
    const [first, ...others] = configuration.runs;
    const next = { ...configuration, runs: [withModel(first, name), ...others] };
    const differing = withoutTwin(next);
    if (differing !== next) {
      const text = `Compared with nothing now: both models would be ${name} with the same settings.`;
      set({ notice: { kind: 'news', text }, status: text });
    }
    void configure(differing);
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
    for (const option of beside.element.querySelectorAll('option')) {
      option.hidden = option.disabled = option.value === run.model && second?.model !== run.model;
    }
    beside.show(second?.model ?? '');
    device.show(configuration.device);
    settings.show(shownSettings(configuration.runs), (name) =>
      configuration.runs.some((each) => isTaken(each, name, !configuration.data)),
    );
  });
  draw(['phase'], ({ phase }) => {
    fields.disabled = phase === 'training';
  });
  draw(['runs', 'configuration'], ({ runs, configuration }) => {
    const counts = runs.map(({ parameterCount }) => parameterCount.toLocaleString('en'));
    const warnings = new Set(runs.flatMap((run) => run.warnings));
    // A link can say so, and so can a run that was opened beside itself.
    const twice = isSameTwice(configuration) ? ['Both have the same model and the same settings'] : [];
    facts.textContent =
      runs.length > 0 ? [`${counts.join(' and ')} parameters`, ...twice, ...warnings].join('. ') : '';
  });
  return element(
    'section',
    { className: 'panel', 'aria-label': 'Model' },
    element('h2', {}, 'Model'),
    fields,
    facts,
  );
}
