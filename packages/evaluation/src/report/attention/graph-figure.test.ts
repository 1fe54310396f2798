import { describe, expect, it } from 'vitest';
import type { DatasetCard } from '../../run/dataset-card.ts';
import type { AttendedPart } from '../../run/run-record.ts';
import { reportHtml } from '../report-html.ts';
import { elementsOf, exampleRun } from '../report-runs.cases.ts';
import { graphSvg } from './graph-svg.ts';

const part: AttendedPart = {
  query: 'next <to>',
  nodes: [
    { name: 'ann & co', x: 0, y: 0, attention: 1 },
    { name: 'bob', x: 1, y: 1, attention: 0.6 },
    { name: 'a name that is far too long for any picture', x: 0.5, y: 0.5, attention: 0.0004 },
  ],
  edges: [
    { from: 0, to: 1, type: 'knows', flow: 0.5 },
    { from: 0, to: 1, type: 'likes', flow: 0.1 },
    { from: 2, to: 1, type: 'sees', flow: 0.01 },
  ],
  destination: 1,
  rank: { raw: 3, filtered: 1.5 },
  way: { nodes: [0, 1], types: ['knows'], share: 0.5 },
  answers: [['bob', 0.6]],
  leftOut: 1,
};

function runOn(attended: readonly AttendedPart[], model: 'RW-Stationary' | 'RW-Dynamic' = 'RW-Stationary') {
  const group = { name: 'family', sha256: 'ab'.repeat(32), nodes: 40, edgeTypes: 2, queries: 1, steps: 2 };
  const run = exampleRun({ model });
  return {
    ...run,
    config: { ...run.config, group: group satisfies DatasetCard },
    attention: { ...run.attention!, attended },
  };
}

const text = (page: string): string =>
  page
    .replace(/<title>[^<]*<\/title>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

describe('the picture of an attended part', () => {
  const svg = graphSvg(part, 'RW on family');

  it('is whole, names the nodes and escapes what a dataset says', () => {
    elementsOf(svg);
    expect(text(svg)).toContain('ann &amp; co');
    expect(text(svg)).toContain('a name that is far to…');
    expect(svg).toContain('<title>a name that is far too long for any picture: 0.0 %</title>');
  });

  it('draws edges of the same ends as one, and marks the way, the source and the answer', () => {
    expect(svg.match(/<g class="line( way)?">/g)).toEqual(['<g class="line">', '<g class="line way">']);
    expect(svg).toContain('<title>ann &amp; co → bob: knows, likes (60 %)</title>');
    expect(svg).toMatch(/<text class="type"[^>]*>knows<\/text>/);
    expect(svg.match(/class="end"/g)).toHaveLength(2);
  });

  it('has up where y is more', () => {
    const ys = [...svg.matchAll(/<circle class="(?:attention-\d+|faint)" cx="[^"]*" cy="([^"]*)"/g)].map(
      ([, y]) => Number(y),
    );
    expect(ys[0]).toBeGreaterThan(ys[2]);
    expect(ys[2]).toBeGreaterThan(ys[1]);
  });

  it('needs no variables of a page, and is the same each time', () => {
    expect(svg).not.toContain('var(');
    expect(graphSvg(part, 'RW on family')).toBe(svg);
  });
});

describe('the report of runs on a dataset', () => {
  it('has a question once, with a picture of each model, ranks, and the way', () => {
    const page = reportHtml([runOn([part]), runOn([part], 'RW-Dynamic')]);
    elementsOf(page);
    expect(page.match(/<h4>From ann &amp; co, asked for next &lt;to&gt;: bob<\/h4>/g)).toHaveLength(1);
    expect(page.match(/<svg class="graph"/g)).toHaveLength(2);
    expect(text(page)).toContain(
      'answer ranked 3, filtered 1.5; best: bob 0.600; 1 more node with some attention not shown',
    );
    expect(text(page)).toContain('likeliest way: ann &amp; co —knows→ bob, 50 %');
    expect(page).not.toContain('The longest walk of the test split');
  });

  it('has no picture of runs from before there were any', () => {
    const { attended: _, ...attention } = runOn([]).attention;
    expect(reportHtml([{ ...runOn([]), attention }])).not.toContain('id="flow"');
  });
});
