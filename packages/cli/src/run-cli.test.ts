import { expect, test } from 'vitest';
import { commands } from './commands.ts';
import { explainError } from './explain-error.ts';
import { runCaptured } from './testing/run-captured.ts';
import { version } from './version.ts';

test('help lists every command, and is what comes without a word', async () => {
  const { code, stdout } = await runCaptured('help');
  expect(code).toBe(0);
  for (const { name, summary } of commands) {
    expect(stdout.split('\n')).toContain(`  ${name.padEnd(10)}  ${summary}`);
  }
  expect(await runCaptured([])).toEqual({ code: 0, stdout, stderr: '' });
  expect(await runCaptured('--help')).toEqual({ code: 0, stdout, stderr: '' });
});

test.for(commands)('the help of $name shows its usage, every flag and every example', async (command) => {
  const { code, stdout, stderr } = await runCaptured(['help', command.name]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`Usage: flowgrad ${command.usage}\n`);
  for (const name of Object.keys(command.flags)) expect(stdout).toMatch(new RegExp(`^  --${name}[ \n]`, 'm'));
  for (const { line, about } of command.examples)
    expect(stdout).toContain(`  # ${about}\n  flowgrad ${line}`);
  expect(await runCaptured([command.name, '--help'])).toEqual({ code, stdout, stderr });
});

test('--version prints the version', async () => {
  expect(await runCaptured('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('wrong usage is exit code 2, one line and where to read more', async () => {
  expect(await runCaptured('trian')).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(
      /^flowgrad: expected a command among .*did you mean train\?\)\nTry flowgrad --help\n$/,
    ) as string,
  });
  expect(await runCaptured('train --sede 1')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/did you mean --seed\?\)\nTry flowgrad train --help\n$/) as string,
  });
});

test('a failure that names what it expected is exit code 1 and one line', async () => {
  const { code, stderr } = await runCaptured('report /nonexistent');
  expect(code).toBe(1);
  expect(stderr).toBe('flowgrad: report: /nonexistent: expected a file or folder, got none (ENOENT)\n');
});

test('--verbose shows the stack', async () => {
  const { stderr } = await runCaptured('report /nonexistent --verbose');
  expect(stderr).toMatch(/^flowgrad: report: .*\n.*ENOENT.*\n? *(at )?/);
  expect(stderr.split('\n').length).toBeGreaterThan(2);
});

test.for([
  ['ENOSPC', 'expected room on the disk, got none'],
  ['EACCES', 'got permission denied'],
  ['EROFS', 'got a read-only file system'],
  ['ENOTDIR', 'expected a folder, got a file on the way'],
])('%s is told in one line, with the name that was asked for', ([code, words]) => {
  const path = '/somewhere/runs/.step-00000001.tmp-x1y2z3/adam.safetensors';
  const error = Object.assign(new Error('write failed'), { code, path });
  const { line, isExpected } = explainError('train', error);
  expect(isExpected).toBe(true);
  expect(line).toContain(words);
  expect(line).toContain('/somewhere/runs/');
  expect(line).not.toMatch(/tmp-|\n/);
});

test('what nobody expected hints at --verbose', () => {
  expect(explainError('train', new TypeError('x is not a function')).isExpected).toBe(false);
});
