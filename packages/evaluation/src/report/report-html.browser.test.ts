/** The report as a browser lays it out. */
import { expect, it } from 'vitest';
import { variantName } from '../run/run-config.ts';
import { reportHtml } from './report-html.ts';
import { exampleRun, paperGroup } from './report-runs.cases.ts';

const inPaper = (model: 'RW-Stationary' | 'GGNN-MulMlp' | 'FullGN-MulMlp', settings: object = {}) => {
  // The attention of the examples is on another map.
  const { attention: _, ...run } = exampleRun({ model, group: paperGroup, ...settings });
  return run;
};
const shortNames = reportHtml([
  exampleRun(),
  exampleRun({ model: 'GGNN-MulMlp', seed: 2 }),
  exampleRun({ model: 'GGNN', features: { frequencies: 16, embeddings: false } }, { isDone: false }),
  inPaper('RW-Stationary'),
  inPaper('GGNN-MulMlp'),
  inPaper('FullGN-MulMlp'),
]);

const longNames = reportHtml(
  [
    exampleRun({ learningRates: [0.003, 0.002, 0.001] }),
    exampleRun({ learningRates: [0.0003, 0.002, 0.001], averaging: 0.99 }),
    exampleRun({ model: 'GGNN', features: { frequencies: 16, embeddings: false } }),
    inPaper('RW-Stationary', { learningRates: [0.003] }),
  ].map((run) => ({ ...run, name: `${variantName(run.config)}/seed1` })),
);

async function shown(width: number, page = shortNames): Promise<Document> {
  const frame = document.createElement('iframe');
  frame.style.cssText = `border: 0; width: ${width}px; height: 800px`;
  frame.srcdoc = page;
  document.body.append(frame);
  await new Promise((loaded) => frame.addEventListener('load', loaded));
  return frame.contentDocument!;
}

const overlap = (a: DOMRect, b: DOMRect): boolean =>
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
  // Boxes of text are taller than its letters.
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;

it.each([390, 1280])('fits a page of %i px, results included', async (width) => {
  const { documentElement, body } = await shown(width);
  expect(documentElement.scrollWidth).toBe(width);
  for (const table of body.querySelectorAll('table.results')) {
    expect(table.scrollWidth).toBeLessThanOrEqual(table.parentElement!.clientWidth);
  }
});

it.each([390, 1280])('has charts at %i px whose labels neither overlap nor are cut off', async (width) => {
  const { body } = await shown(width);
  const charts = [...body.querySelectorAll('svg.chart')];
  expect(charts.length).toBeGreaterThan(10);
  for (const chart of charts) {
    const outer = chart.getBoundingClientRect();
    const texts = [...chart.querySelectorAll('text')].map((text) => ({
      name: text.textContent,
      box: text.getBoundingClientRect(),
    }));
    const cut = texts.filter(({ box }) => box.left < outer.left - 1 || box.right > outer.right + 1);
    expect(cut.map(({ name }) => name)).toEqual([]);
    const pairs = texts.flatMap((a, i) => texts.slice(i + 1).map((b) => [a, b] as const));
    expect(pairs.filter(([a, b]) => overlap(a.box, b.box)).map(([a, b]) => `${a.name} / ${b.name}`)).toEqual(
      [],
    );
  }
});

it.each([390, 1280])(
  'shows long names whole at %i px, broken at no other place than meant',
  async (width) => {
    const { body, documentElement } = await shown(width, longNames);
    expect(documentElement.scrollWidth).toBe(width);
    const pieces = [...body.querySelectorAll('.variant > span')];
    expect(pieces.length).toBeGreaterThan(20);
    expect(pieces.filter((piece) => piece.getClientRects().length > 1)).toEqual([]);
    const labels = [...body.querySelectorAll('svg.chart .labels text')];
    expect(labels.map(({ textContent }) => textContent)).toContain(
      'RW-Stationary+learningRates=0.0003,0.002,0.001+averaging=0.99',
    );
    expect(labels.filter(({ textContent }) => textContent.includes('…'))).toEqual([]);
    for (const label of labels) {
      const chart = label.closest('svg')!.getBoundingClientRect();
      expect(label.getBoundingClientRect().right).toBeLessThanOrEqual(chart.right + 1);
    }
    for (const table of body.querySelectorAll('table.runs, #results table, #filtered table')) {
      expect(table.scrollWidth).toBeLessThanOrEqual(table.parentElement!.clientWidth);
    }
  },
);

it('draws its maps: what panels refer to is there', async () => {
  const { body } = await shown(1280);
  const uses = [...body.querySelectorAll<SVGUseElement>('svg.map use')];
  expect(uses.length).toBeGreaterThan(5);
  expect(uses.filter((use) => !body.querySelector(use.href.baseVal))).toEqual([]);
  expect(body.querySelector('svg.map')!.getBoundingClientRect().width).toBeGreaterThan(100);
});
