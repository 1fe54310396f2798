/** Starts and stops training, and shows how it goes. */
import { metricNames, rankingOf } from '@flowgrad/evaluation';
import type { MetricName, RankingName } from '@flowgrad/evaluation';
import { drawChart } from '../drawing/curve-chart.ts';
import { element } from './element.ts';
import { choiceField } from './fields.ts';
import type { Playground } from './playground.ts';
import type { State } from './state.ts';
import type { Store } from './store.ts';
import { reasonNotToTrain } from './wrong-fields.ts';

const metricLabels: Readonly<Record<MetricName, string>> = {
  hits1: 'Hits@1',
  hits5: 'Hits@5',
  hits10: 'Hits@10',
  mr: 'MR',
  mrr: 'MRR',
};
const phases: Readonly<Record<State['phase'], string>> = {
  preparing: 'preparing',
  ready: 'ready',
  training: 'training',
  paused: 'paused',
  stopped: 'stopped',
  done: 'done',
  failed: 'failed',
};
const shown = (metric: MetricName, value: number | undefined): string =>
  value === undefined ? '–' : value.toFixed(metric === 'mrr' ? 3 : 1);

export function trainingPanel(store: Store<State>, playground: Playground): HTMLElement {
  const { draw, set } = store;
  const button = (label: string, className: string, act: () => Promise<void>) =>
    element('button', { type: 'button', className, onclick: () => void act() }, label);
  const start = button('Start', 'primary', () =>
    store.get().phase === 'training' ? playground.pause() : playground.train(),
  );
  const step = button('Step', '', playground.step);
  const stop = button('Stop', '', playground.stop);
  const reset = button('Reset', '', playground.reset);

  const reason = element('p', { className: 'wrong', id: 'reason-not-to-train' });
  for (const each of [start, step]) each.setAttribute('aria-describedby', reason.id);

  const facts = element('dl', { className: 'numbers' });
  const lossChart = element('canvas', { className: 'chart', role: 'img' });
  const metricChart = element('canvas', { className: 'chart', role: 'img' });
  const metric = choiceField<MetricName>(
    'Metric',
    metricNames.map((name) => [name, metricLabels[name]] as const),
    (name) => set({ metric: name }),
  );
  const splitTitle = element('h3');
  const table = element('table', { className: 'metrics' });

  draw(['phase', 'runs', 'wrongFields'], (state) => {
    const { phase, runs } = state;
    const isBusy = phase === 'preparing' || runs.length === 0;
    // What is being trained goes on as it is.
    const refused = phase === 'training' ? '' : reasonNotToTrain(state);
    reason.textContent = refused;
    start.textContent = phase === 'training' ? 'Pause' : phase === 'paused' ? 'Go on' : 'Start';
    start.disabled = isBusy || phase === 'done' || phase === 'failed' || refused !== '';
    step.disabled = isBusy || !['ready', 'paused'].includes(phase) || refused !== '';
    stop.disabled = !['training', 'paused'].includes(phase);
    reset.disabled = isBusy;
  });

  draw(['runs', 'phase', 'stepsPerSecond', 'memory', 'device'], (state) => {
    const { runs, phase, stepsPerSecond, memory, device } = state;
    const [run] = runs;
    const losses = runs.map(({ losses }) => losses.at(-1)?.[1].toFixed(3) ?? '–');
    const epoch = run ? Math.floor(run.step / run.stepsPerEpoch) : 0;
    const entries: [string, string][] = [
      ['State', phases[phase]],
      ['Step', run ? String(run.step) : '–'],
      ['Epoch', run ? `${epoch} of ${run.config.epochs}` : '–'],
      ['Loss', losses.join(' / ') || '–'],
      ['Steps per second', phase === 'training' && stepsPerSecond > 0 ? stepsPerSecond.toPrecision(3) : '–'],
      ['Memory', memory > 0 ? `${(memory / 2 ** 20).toFixed(1)} MiB` : '–'],
      [
        'Device',
        device ? `${device.backend === 'webgpu' ? 'WebGPU' : 'WebAssembly'}: ${device.details}` : '–',
      ],
    ];
    facts.replaceChildren(
      ...entries.map(([name, value]) =>
        element('div', { 'data-fact': name }, element('dt', {}, name), element('dd', {}, value)),
      ),
    );
  });

  const drawLoss = ({ runs, theme }: State): void => {
    drawChart(lossChart, { curves: runs.map(({ losses }) => losses), theme, empty: 'no step yet' });
    const last = runs.map(
      ({ config, losses }) => `${config.model} ${losses.at(-1)?.[1].toFixed(3) ?? 'none yet'}`,
    );
    lossChart.setAttribute('aria-label', `Loss by step. Latest: ${last.join(', ')}`);
  };
  const drawMetric = (state: State): void => {
    const { runs, theme, metric: name, ceiling } = state;
    const of = rankingOfRuns(state);
    const curves = runs.map(({ epochs }) => epochs.map((each) => [each.epoch, each.test[of][name]] as const));
    const limit = ceiling && { value: ceiling.raw[name], label: `ceiling ${shown(name, ceiling.raw[name])}` };
    drawChart(metricChart, {
      curves,
      theme,
      fromZero: name !== 'mr',
      empty: 'no epoch yet',
      ...(limit && { ceiling: limit }),
    });
    const last = runs.map(
      ({ config, epochs }) => `${config.model} ${shown(name, epochs.at(-1)?.test[of][name])}`,
    );
    metricChart.setAttribute(
      'aria-label',
      `${metricLabels[name]} of the test split by epoch. Latest: ${last.join(', ')}` +
        (isGrid(state) ? `; ceiling ${shown(name, ceiling?.raw[name])}` : ''),
    );
    metric.show(name);
    table.replaceChildren(...metricRows(state));
    splitTitle.textContent = `Test split by epoch${of === 'filtered' ? ', without what else is true' : ''}`;
  };
  draw(['runs', 'theme'], drawLoss);
  draw(['runs', 'theme', 'metric', 'ceiling'], drawMetric);
  new ResizeObserver(() => {
    drawLoss(store.get());
    drawMetric(store.get());
  }).observe(lossChart);

  return element(
    'section',
    { className: 'panel', 'aria-label': 'Training' },
    element('h2', {}, 'Training'),
    element('div', { className: 'buttons' }, start, step, stop, reset),
    reason,
    facts,
    element('h3', {}, 'Loss by step'),
    lossChart,
    splitTitle,
    metric.element,
    metricChart,
    table,
  );
}

const isGrid = ({ configuration }: State): boolean => !configuration.data;

/** Of all runs, which are on the same data. */
const rankingOfRuns = ({ runs }: State): RankingName => (runs[0] ? rankingOf(runs[0].config) : 'raw');

function metricRows(state: State): HTMLElement[] {
  const { runs, ceiling } = state;
  const of = rankingOfRuns(state);
  const head = element(
    'tr',
    {},
    element('td'),
    ...metricNames.map((name) => element('th', { scope: 'col' }, metricLabels[name])),
  );
  const row = (
    label: string,
    className: string,
    values: (name: MetricName) => number | undefined,
  ): HTMLElement =>
    element(
      'tr',
      {},
      element('th', { scope: 'row', className }, label),
      ...metricNames.map((name) => element('td', {}, shown(name, values(name)))),
    );
  return [
    head,
    ...runs.map(({ config, epochs }, i) =>
      row(config.model, `run-${i}`, (name) => epochs.at(-1)?.test[of][name]),
    ),
    ...(isGrid(state) ? [row('Ceiling', 'ceiling', (name) => ceiling?.raw[name])] : []),
  ];
}
