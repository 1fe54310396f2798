/** What becomes of output that nobody takes. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { program } from './testing/child.ts';
import { tinyWorld } from './testing/run-captured.ts';
import { temporaryFolders } from './testing/temporary-folder.ts';

const emptyFolder = temporaryFolders();

async function shell(line: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const env = { ...process.env, FORCE_COLOR: '0', NO_COLOR: '1' };
  const child = spawn('sh', ['-c', line.replaceAll('flowgrad', `"${process.execPath}" "${program}"`)], {
    cwd: await emptyFolder(),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, stdout, stderr };
}

test('a reader who has seen enough is no failure', async () => {
  const line = `flowgrad train --group ${tinyWorld} --model RW-Stationary --epochs 5 --json --device wasm | head -n 1`;
  const { stdout, stderr } = await shell(line);
  expect(stdout).toMatch(/^\{"kind":"start".*\n$/);
  expect(stderr).toBe('');
});

test.skipIf(!existsSync('/dev/full'))('output to a full disk is a failure of one line', async () => {
  expect(await shell(`flowgrad stats ${tinyWorld} --seeds 1 > /dev/full`)).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'flowgrad: output: expected room on the disk, got none (free some, then go on with --resume) (ENOSPC)\n',
  });
});

test('the program starts by itself and ends with the code of the command', async () => {
  expect(await shell('flowgrad --version')).toMatchObject({ code: 0, stderr: '' });
  expect(await shell('flowgrad trian')).toMatchObject({ code: 2, stdout: '' });
});
