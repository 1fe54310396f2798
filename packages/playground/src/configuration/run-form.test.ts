import { expect, it } from 'vitest';
import { linkRun } from './configuration.ts';
import { shownSettings, withSetting } from './run-form.ts';

const gat = { ...linkRun, model: 'GAT', options: { d: 16 } } as const;
const ggnn = { ...linkRun, model: 'GGNN', options: { d: 16 } } as const;

it('the form shows options as runs will have them, not defaults that do not suit their width', () => {
  expect(shownSettings([gat])).toMatchObject({ heads: 4, d: 16, epochs: 20 });
  expect(shownSettings([withSetting(gat, { heads: 2 })])).toMatchObject({ heads: 2 });
  expect(shownSettings([withSetting(gat, { d: 20 })])).not.toHaveProperty('heads');
});

it('what only the second of two runs takes is shown as that one has it, all else as the first', () => {
  const second = withSetting(gat, { epochs: 7 });
  expect(shownSettings([ggnn, second])).toMatchObject({ heads: 4, epochs: 20 });
});
