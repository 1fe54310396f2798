import { parseGroupName } from '@flowgrad/gridworld';
import { describe, expect, it } from 'vitest';
import { PAPER_RESULTS } from '../paper/paper-results.ts';
import { reportHtml } from './report-html.ts';
import { both, elementsOf, epochsWith, exampleRun, paperGroup } from './report-runs.cases.ts';

const text = (page: string): string =>
  page.replace(/<title>[^<]*<\/title>|<[^>]*>/g, ' ').replace(/\s+/g, ' ');
const section = (page: string, id: string): string =>
  new RegExp(`<section id="${id}">(.*?)</section>`, 's').exec(page)?.[1] ?? '';
const rowsOf = (part: string): string[] =>
  [...part.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row]) => text(row).trim());

const four = { epochs: 4, group: paperGroup } as const;
/** Of the paper's group: no attention, whose nodes are those of the small one. */
const inPaper = (seed: number, hits: readonly number[]) => {
  const { attention: _, ...run } = exampleRun({ ...four, seed }, { hits });
  return run;
};

describe('the overview', () => {
  it('has a row for each model and a column for each group, with the paper’s and the ceiling', () => {
    const other = 'LINE-SZ32-STP16-NDRP-STD0.2';
    const { attention: _, ...line } = exampleRun({ ...four, group: other }, { hits: [16, 17, 18, 15] });
    const { attention: __, ...ggnn } = exampleRun(
      { ...four, model: 'GGNN' },
      { hits: [50, 60, 70, 80], hasFlow: false },
    );
    const page = reportHtml([inPaper(1, [10, 20, 30, 25]), line, ggnn]);
    const rows = rowsOf(section(page, 'overview'));
    expect(rows[0]).toBe('Model LINE SINE');
    const paperOf = (group: string) => PAPER_RESULTS.get(group)!.get('RW-Stationary')!.hits1;
    const cell = (ours: number, [theirs, sigma]: readonly [number, number]): string =>
      `${ours.toFixed(1)} ${theirs.toFixed(1)} ${Math.abs(ours - theirs) <= sigma ? '≈ ' : ''}${(Math.abs(ours - theirs) / sigma).toFixed(1)} σ ${(ours / 0.6).toFixed(0)} % of the ceiling`;
    // Of one run: the mean of the best three on validation, one and a half lower on test.
    expect(rows[1].replaceAll('\u00a0', ' ')).toBe(
      `RW-Stationary ${cell(15.5, paperOf(other))} ${cell(23.5, paperOf(paperGroup))}`,
    );
    expect(rows[2]).toMatch(/^GGNN 68\.5 51\.0/);
    expect(rows[3]).toBe('Ceiling 60.0 60.0');
    expect(text(section(page, 'overview'))).toContain('in SZ32-STP16-NDRP-STD0.2');
  });

  it('is left out where there is one group', () => {
    expect(reportHtml([inPaper(1, [10, 20, 30, 25])])).not.toContain('id="overview"');
  });
});

describe('the table of results', () => {
  it('has the mean and deviation over runs × best three snapshots, worked out by hand', () => {
    const page = reportHtml([inPaper(1, [10, 20, 30, 25]), inPaper(2, [40, 12, 38, 36])]);
    // Test values of the best three on validation: 18.5, 28.5, 23.5 and 38.5, 36.5, 34.5.
    const values = [18.5, 28.5, 23.5, 38.5, 36.5, 34.5];
    const mean = values.reduce((a, b) => a + b) / 6;
    const std = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 6);
    expect([mean, std].map((value) => value.toFixed(1))).toEqual(['30.0', '7.2']);
    const rows = rowsOf(section(page, 'results'));
    const mr = (30 - mean / 4).toFixed(2);
    expect(rows).toContain(
      `ours 30.0 ± 7.2 50.0 ± 7.2 60.0 ± 7.2 ${mr} ± ${(std / 4).toFixed(2)} 0.400 ± 0.072`,
    );
    const [theirs, sigma] = PAPER_RESULTS.get(paperGroup)!.get('RW-Stationary')!.hits1;
    const difference = mean - theirs;
    const deviations = difference / Math.sqrt(std ** 2 + sigma ** 2);
    expect(deviations).toBeGreaterThan(2);
    expect(rows.find((row) => row.startsWith('difference'))).toContain(
      `difference +${difference.toFixed(1)} ${deviations.toFixed(1)} σ`,
    );
    expect(rows.find((row) => row.startsWith('paper'))).toContain(
      `paper ${theirs.toFixed(1)} ± ${sigma.toFixed(1)}`,
    );
    expect(rows.find((row) => row.startsWith('Ceiling'))).toBe(
      'Ceiling mean of seeds 1, 2 60.0 80.0 90.0 15.00 0.700',
    );
    // A rank is better the lower it is.
    const share = [mean / 60, (mean + 20) / 80, (mean + 30) / 90, 15 / Number(mr), 0.4 / 0.7];
    expect(rows.find((row) => row.startsWith('of the ceiling'))?.replaceAll('\u00a0', ' ')).toBe(
      `of the ceiling ${share.map((each) => `${(100 * each).toFixed(0)} %`).join(' ')}`,
    );
    // The filtered ranking of the examples is five higher.
    expect(rowsOf(section(page, 'filtered')).join()).toContain('2 runs, seeds 1, 2 35.0 ± 7.2');
    expect(section(page, 'filtered')).not.toContain('difference');
  });

  it('says of one run that its deviation is over snapshots, and measures by the paper’s', () => {
    const page = reportHtml([inPaper(1, [10, 20, 30, 25])]);
    expect(text(page)).toContain('a single run has a ± over its three snapshots only');
    const [theirs, sigma] = PAPER_RESULTS.get(paperGroup)!.get('RW-Stationary')!.hits1;
    expect(text(page)).toContain(`${((23.5 - theirs) / sigma).toFixed(1)} σ`);
    expect(page).toContain('<title>better, more than 3 σ</title>');
  });

  it('marks our best of each column', () => {
    const page = reportHtml([
      exampleRun(),
      exampleRun({ model: 'GGNN' }, { hits: [50, 60, 70, 80], hasFlow: false }),
    ]);
    const best = [...section(page, 'results').matchAll(/class="number best">([\d.]+)/g)].map(
      ([, value]) => value,
    );
    expect(best).toEqual(['68.5', '88.5', '98.5', '12.88', '0.785']);
  });

  it('keeps ceilings of different datasets apart', () => {
    const second = exampleRun({ seed: 2 });
    const runs = [
      exampleRun({ model: 'GGNN-NoAct' }),
      { ...second, result: { ...second.result!, ceiling: both(40) } },
    ];
    const rows = rowsOf(section(reportHtml(runs), 'results'));
    expect(rows.filter((row) => row.startsWith('Ceiling'))).toEqual([
      'Ceiling seed 2 40.0 60.0 70.0 20.00 0.500',
      'Ceiling seed 1 60.0 80.0 90.0 15.00 0.700',
    ]);
  });
});

describe('what is missing', () => {
  it('is not made up: no ceiling of two datasets from that of one', () => {
    const page = reportHtml([exampleRun(), exampleRun({ seed: 2 }, { hasCeiling: false })]);
    expect(text(section(page, 'results'))).toContain('2 runs, seeds 1, 2');
    expect(rowsOf(section(page, 'results')).some((row) => row.startsWith('Ceiling'))).toBe(false);
    expect(section(page, 'learning')).not.toContain('>ceiling');
  });

  it('is left out: paper, ceiling, flow and attention', () => {
    const { attention: _, ...bare } = exampleRun({ model: 'GGNN' }, { hasFlow: false, hasCeiling: false });
    const page = reportHtml([bare]);
    elementsOf(page);
    expect(page).not.toMatch(/NaN|undefined|\[object/);
    expect(page).not.toContain('id="interpretation"');
    expect(page).not.toContain('id="flow"');
    expect(rowsOf(section(page, 'results')).some((row) => /^(paper|Ceiling|difference)/.test(row))).toBe(
      false,
    );
  });

  it('does not compare a world of one’s own that has a name of the paper', () => {
    const group = { ...parseGroupName(paperGroup), sigma: 0.9 };
    const { attention: _, ...run } = exampleRun({ group });
    expect(rowsOf(section(reportHtml([run]), 'results')).some((row) => row.startsWith('paper'))).toBe(false);
  });

  it('shows no run at all without breaking', () => {
    elementsOf(reportHtml([]));
  });
});

describe('runs under way', () => {
  it('show what they have, say so, and are not compared', () => {
    const run = exampleRun({ group: paperGroup }, { isDone: false });
    const page = reportHtml([run]);
    elementsOf(page);
    expect(text(section(page, 'results'))).toContain('under way: 1 run, seed 1, epoch 4 of 50');
    expect(text(section(page, 'runs'))).toContain('under way, epoch 4 of 50');
    expect(rowsOf(section(page, 'results')).some((row) => row.startsWith('difference'))).toBe(false);
    expect(section(page, 'results')).toContain('class="number unfinished"');
  });

  it('do not mix with those that are done', () => {
    const page = reportHtml([
      exampleRun({ epochs: 4 }),
      exampleRun({ seed: 2, epochs: 4 }, { isDone: false, hits: [99] }),
    ]);
    expect(text(section(page, 'results'))).toContain('1 run, seed 1; 1 more under way 23.5 ±');
  });

  it('may not have finished an epoch', () => {
    const page = reportHtml([exampleRun({}, { isDone: false, hits: [] })]);
    elementsOf(page);
    expect(text(section(page, 'results'))).toContain('1 run, no epoch yet – – – – –');
    expect(page).not.toMatch(/NaN|undefined/);
  });
});

describe('the page', () => {
  const runs = [exampleRun(), exampleRun({ seed: 2 }), exampleRun({ model: 'GGNN' }, { hasFlow: false })];

  it('is well-formed, and fetches nothing', () => {
    const page = reportHtml(runs);
    const names = elementsOf(page);
    expect(names.slice(0, 3)).toEqual(['html', 'head', 'meta']);
    expect(names).not.toContain('script');
    expect(page).not.toMatch(/https?:|src=|url\(|@import/);
    const targets = [...page.matchAll(/href="([^"]*)"/g)].map(([, target]) => target);
    const ids = new Set([...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => `#${id}`));
    expect(targets.filter((target) => target !== 'data:,' && !ids.has(target))).toEqual([]);
  });

  it('escapes whatever comes from files', () => {
    const evil = '<script>alert("x")</script>&';
    const base = exampleRun();
    const page = reportHtml(
      [
        {
          ...base,
          name: evil,
          config: { ...base.config, group: { ...parseGroupName('SINE-SZ8-STP4-EDRP-STD0.2'), name: evil } },
          environments: [{ ...base.environments[0], device: evil, node: evil, processor: evil }],
        },
      ],
      { title: evil },
    );
    expect(elementsOf(page)).not.toContain('script');
    expect(page).not.toContain('<script');
    expect(page).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;');
  });

  it('gives each model one look in all charts, and names without what all share', () => {
    const page = reportHtml(runs);
    expect(text(page)).toContain('All depart from the paper’s protocol in epochs=4.');
    const looks = new Set(
      [...page.matchAll(/<g class="(look-\d)"><title>GGNN<\/title>/g)].map(([, look]) => look),
    );
    expect([...looks]).toEqual(['look-1']);
  });

  it('marks where attention has stopped for good, if it is enough to matter, and says so in the key', () => {
    const run = exampleRun();
    const { trajectory, focused } = run.attention!;
    const stopped = focused!.map((_, t): [number, number][] => [
      [trajectory[0], t < 2 ? 0.01 : 0.25],
      [0, 0.04],
    ]);
    const page = reportHtml([{ ...run, attention: { ...run.attention!, stopped } }]);
    // Of the steps from the second on, and of the picture of all.
    expect(page.match(/<path class="stopped" d="M[^"]*"\/><\/g>/g)).toHaveLength(focused!.length - 2 + 1);
    expect(page).toContain('has stopped for good');
    expect(reportHtml([run])).not.toContain('has stopped for good');
  });

  it('draws the attention of each step, and says where the destination was ranked', () => {
    const flow = section(reportHtml(runs), 'flow');
    const steps = exampleRun().attention!.focused!.length;
    expect(flow.match(/Attention of RW-Stationary at step/g)).toHaveLength(steps);
    expect(text(flow)).toContain('RW-Stationary destination ranked 2');
    expect(text(flow)).toContain('GGNN: destination ranked 2');
  });

  it('has the command of each run', () => {
    const run = exampleRun({
      seed: 3,
      shuffling: 2,
      options: { d: 8 },
      features: { frequencies: 4 },
    });
    expect(section(reportHtml([run]), 'runs')).toContain(
      'flowgrad train --group SINE-SZ8-STP4-EDRP-STD0.2 --model RW-Stationary --seed 3 --shuffling 2 --epochs 4 --d 8 --features 4&#10;',
    );
  });

  it('says every option that is not the default by its flag', () => {
    const options = { d: 8, weightDecay: 0 };
    const run = exampleRun({ options, features: { frequencies: 4, embeddings: false }, plan: 'dense' });
    expect(section(reportHtml([run]), 'runs')).toContain(
      ' --plan dense --d 8 --weight-decay 0 --features 4 --embeddings false&#10;',
    );
  });

  it('has the settings of a run on a world of one’s own', () => {
    const run = exampleRun({ group: parseGroupName('SINE-SZ8-STP4-EDRP-STD0.2') });
    const html = section(reportHtml([run]), 'runs');
    const plain = html.replaceAll('&quot;', '"').replaceAll('&apos;', "'");
    expect(JSON.parse(/flowgrad train --settings '(.*)'/.exec(plain)![1])).toEqual(run.config);
  });

  it('stays small with ten runs of fifty epochs', () => {
    const hits = Array.from({ length: 50 }, (_, i) => i);
    const models = ['RW-Stationary', 'RW-Dynamic', 'GGNN-NoAct', 'GGNN-MulMlp', 'GGNN'] as const;
    const many = [1, 2].flatMap((seed) => models.map((model) => exampleRun({ model, seed }, { hits })));
    expect(many[0].epochs).toEqual(epochsWith(hits));
    expect(reportHtml(many).length).toBeLessThan(300_000);
  });
});
