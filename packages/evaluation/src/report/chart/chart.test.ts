import { describe, expect, it } from 'vitest';
import { elementsOf } from '../report-runs.cases.ts';
import { lineChart } from './line-chart.ts';
import { linearScale } from './scale.ts';
import { dashOf, lookClass, markerPath } from './series-look.ts';
import { spreadLabels } from './spread-labels.ts';

describe('linearScale', () => {
  it('has round ticks within the values, or widens to them', () => {
    const values = [0.13, 0.72];
    expect(linearScale(values, [0, 100]).ticks).toEqual([0.2, 0.4, 0.6]);
    const nice = linearScale(values, [0, 100], { isNice: true });
    expect([nice.domain, nice.ticks]).toEqual([
      [0, 0.8],
      [0, 0.2, 0.4, 0.6, 0.8],
    ]);
    expect(linearScale([0, 50], [0, 1], { isNice: true }).ticks).toEqual([0, 10, 20, 30, 40, 50]);
    expect(linearScale([-3, 3], [0, 1], { ticks: 3 }).ticks).toEqual([-2, 0, 2]);
  });

  it('maps the ends of the domain to the ends of the axis', () => {
    const { positionOf } = linearScale([10, 20], [200, 40]);
    expect([10, 15, 20].map(positionOf)).toEqual([200, 120, 40]);
  });

  it('keeps to whole numbers where asked', () => {
    expect(linearScale([0, 3], [0, 1], { ticks: 9, isWhole: true }).ticks).toEqual([0, 1, 2, 3]);
  });

  it.each([
    ['nothing', [], [0, 1]],
    ['only NaN', [NaN, Infinity], [0, 1]],
    ['one value', [4], [2, 6]],
    ['equal values', [-4, -4], [-6, -2]],
    ['zeros', [0, 0], [-1, 1]],
    ['values among NaN', [NaN, 1, 3, -Infinity], [1, 3]],
  ])('has a domain for %s', (_, values, domain) => {
    const scale = linearScale(values, [0, 100]);
    expect(scale.domain).toEqual(domain);
    expect(scale.ticks.length).toBeGreaterThan(1);
    expect(scale.positionOf(domain[0])).toBe(0);
  });
});

describe('spreadLabels', () => {
  it('leaves alone what is far enough apart, in any order', () => {
    expect(spreadLabels([50, 10, 30], 14, [0, 100])).toEqual([50, 10, 30]);
  });

  it('moves neighbours apart around their mean, keeping their order and the borders', () => {
    expect(spreadLabels([50, 50], 14, [0, 100])).toEqual([43, 57]);
    expect(spreadLabels([99, 98, 100], 10, [0, 100])).toEqual([90, 80, 100]);
    expect(spreadLabels([0, 12, 24], 14, [0, 100])).toEqual([0, 14, 28]);
  });

  it('shares the room if there is too little', () => {
    expect(spreadLabels([5, 5, 5], 40, [0, 50])).toEqual([0, 25, 50]);
    expect(spreadLabels([], 10, [0, 50])).toEqual([]);
  });
});

describe('looks', () => {
  it('tell 28 lines apart, seven of them without a dash', () => {
    const looks = Array.from({ length: 28 }, (_, look) => [
      lookClass(look),
      markerPath(look, 0, 0, 1),
      dashOf(look),
    ]);
    // By colour and marker alone, as labels and estimates have no dash.
    expect(new Set(looks.map(([color, marker]) => `${color} ${marker}`)).size).toBe(28);
    expect(looks.filter(([, , dash]) => dash === '')).toHaveLength(7);
    // Colour is never alone: the first seven have seven markers.
    expect(new Set(looks.slice(0, 7).map(([, marker]) => marker)).size).toBe(7);
  });
});

describe('lineChart', () => {
  const options = { title: 'Hits@1 on <test>', unit: '%', xLabel: 'epoch' };
  const pathsOf = (svg: string, kind: string): string[] =>
    [...svg.matchAll(new RegExp(`class="${kind}"[^>]* d="([^"]*)"`, 'g'))].map(([, d]) => d);

  it('draws a line through its points, y upwards', () => {
    const svg = lineChart(
      [
        {
          name: 'a',
          look: 0,
          points: [
            [0, 0],
            [1, 5],
            [2, 10],
          ],
        },
      ],
      options,
    );
    const [line] = pathsOf(svg, 'line');
    const places = [...line.matchAll(/([\d.]+) ([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
    expect(places).toHaveLength(3);
    expect(places[1][0] - places[0][0]).toBeCloseTo(places[2][0] - places[1][0], 0);
    expect(places[0][1] - places[1][1]).toBeCloseTo(places[1][1] - places[2][1], 0);
    expect(places[0][1]).toBeGreaterThan(places[2][1]);
    expect(elementsOf(svg)[0]).toBe('svg');
    expect(svg).toContain('Hits@1 on &lt;test&gt;');
  });

  it('leaves a gap at what is no number, and marks a point that stands alone', () => {
    const points = [
      [0, 1],
      [1, 2],
      [2, NaN],
      [3, 3],
      [4, Infinity],
      [5, 1],
      [6, 2],
    ] as const;
    const svg = lineChart([{ name: 'a', look: 0, points }], options);
    expect(
      pathsOf(svg, 'line')[0]
        .split('M')
        .slice(1)
        .map((piece) => piece.split('L').length),
    ).toEqual([2, 2]);
    expect(pathsOf(svg, 'marker')[0].match(/M/g)).toHaveLength(5);
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  });

  it.each([
    ['no line', []],
    ['a line without points', [{ name: 'a', look: 0, points: [] }]],
    ['only NaN', [{ name: 'a', look: 0, points: [[1, NaN]] as const }]],
    ['one point', [{ name: 'a', look: 0, points: [[1, 3]] as const }]],
    [
      'equal values',
      [
        {
          name: 'a',
          look: 9,
          points: [
            [1, 3],
            [2, 3],
          ] as const,
        },
      ],
    ],
  ])('is well-formed for %s', (_, lines) => {
    const svg = lineChart(lines, options);
    elementsOf(svg);
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('has room for levels and estimates, and names all', () => {
    const line = {
      name: 'GGNN',
      look: 1,
      points: [
        [0, 1],
        [50, 2],
      ],
      spread: [
        [0, 0, 2],
        [50, 1, 3],
      ],
    } as const;
    const svg = lineChart([line, { ...line, name: 'x'.repeat(40), look: 2 }], {
      ...options,
      levels: [
        { label: 'ceiling 90', value: 90 },
        { label: 'ceiling 91', value: 91 },
      ],
      estimates: [{ name: 'paper', look: 1, mean: 40, deviation: 5 }],
      estimatesLabel: 'paper',
    });
    elementsOf(svg);
    expect(svg).toContain('>100</text>');
    const heights = [...svg.matchAll(/<text class="level" x="[\d.]+" y="([\d.]+)"/g)].map(([, y]) =>
      Number(y),
    );
    expect(Math.abs(heights[0] - heights[1])).toBeGreaterThanOrEqual(14);
    expect(pathsOf(svg, 'band')).toHaveLength(2);
  });

  it('gives long names rows of their own below, and a title to one that is too long for a row', () => {
    const points = [[0, 1] as const];
    const long = 'RW-Stationary+epochs=4+learningRates=0.003,0.002,0.001';
    const longer = `${long}+averaging=0.99+layerDecay=0.5`;
    const svg = lineChart(
      [long, longer, 'GGNN'].map((name, look) => ({ name, look, points })),
      options,
    );
    elementsOf(svg);
    const texts = [...svg.matchAll(/<text x="16" y="([\d.]+)">([^<]*)<\/text>/g)];
    expect(texts.map(([, , text]) => text)).toEqual([long, `${longer.slice(0, 67)}…`, 'GGNN']);
    const [, height] = /viewBox="0 0 440 (\d+)"/.exec(svg)!;
    expect(texts.map(([, y]) => Number(y))).toEqual([284, 298, 312]);
    expect(Number(height)).toBeGreaterThan(312);
    expect(svg).toContain(`<g class="look-1"><title>${longer}</title>`);
  });
});
