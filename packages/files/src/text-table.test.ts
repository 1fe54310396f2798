import { expect, it } from 'vitest';
import { textTable } from './text-table.ts';

it('puts names to the left and figures to the right, under a rule, without blanks at the end of a line', () => {
  expect(
    textTable(
      ['model', 'hits'],
      [
        ['GGNN', '5.25'],
        ['RW', '19.4'],
      ],
    ),
  ).toBe(['model  hits', '─────  ────', 'GGNN   5.25', 'RW     19.4'].join('\n'));
  expect(textTable(['a', 'bc', 'd'], [['x', 'y', '']], { left: 2 })).toBe('a  bc  d\n─  ──  ─\nx  y');
});
