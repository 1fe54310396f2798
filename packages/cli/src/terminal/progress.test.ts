import { expect, test } from 'vitest';
import { formatDuration } from './duration.ts';
import { createLiveLines } from './live-lines.ts';
import { createProgress } from './progress.ts';

function terminal(isTTY: boolean) {
  const said: string[] = [];
  return { said, output: { isTTY, columns: 100, write: (text: string) => void said.push(text) } };
}

test('on a terminal a bar shows the share, the speed and the time left', () => {
  const { said, output } = terminal(true);
  let time = 0;
  const progress = createProgress(output, { label: 'GAT', total: 40, unit: 'steps', now: () => time });
  time = 5000;
  progress.update(10, 'epoch 1');
  expect(said.at(-1)).toBe(
    `\r\x1b[KGAT ${'█'.repeat(4)}${'░'.repeat(12)}  10/40  2.0 steps/s  15 s left  epoch 1`,
  );
  time = 5050;
  progress.update(11);
  expect(said).toHaveLength(1); // too soon to draw again
  progress.end();
  expect(said.at(-1)).toBe('\r\x1b[K');
});

test('what was done before does not count for the speed', () => {
  const { said, output } = terminal(true);
  let time = 0;
  const progress = createProgress(output, { label: '', total: 40, done: 20, unit: 'steps', now: () => time });
  time = 1000;
  progress.update(21);
  expect(said.at(-1)).toContain('21/40  1.0 steps/s  19 s left');
});

test('elsewhere there are lines and no bar', () => {
  const { said, output } = terminal(false);
  const progress = createProgress(output, { label: 'GAT', total: 2, unit: 'steps' });
  progress.update(1);
  progress.line('epoch 1');
  progress.update(2);
  progress.end();
  expect(said).toEqual(['epoch 1\n']);
});

test('a line never wraps: the bar would be drawn again and again', () => {
  const said: string[] = [];
  const output = { isTTY: true, columns: 20, write: (text: string) => void said.push(text) };
  createProgress(output, { label: 'a label that is long', total: 2, unit: 'steps' }).update(2, 'and a note');
  expect(said[0].replace('\r\x1b[K', '').length).toBeLessThan(20);
});

test('live lines are drawn over, and what stays stands above them', () => {
  const { said, output } = terminal(true);
  const live = createLiveLines(output);
  live.show(['a', 'b']);
  live.above('done');
  live.end();
  expect(said).toEqual(['a\nb\n', '\x1b[2A\r\x1b[Jdone\na\nb\n', '\x1b[2A\r\x1b[J']);
});

test.for([
  [0.84, '0.8 s'],
  [42.3, '42 s'],
  [59.7, '1 min 00 s'],
  [200, '3 min 20 s'],
  [7500, '2 h 05 min'],
] as const)('%d seconds are %s', ([seconds, text]) => {
  expect(formatDuration(seconds)).toBe(text);
});
