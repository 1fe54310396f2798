import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ownerState, startHeartbeat, thisProcess } from './folder-owner.ts';

const isLinux = process.platform === 'linux';

it.runIf(isLinux)('tells a process that is at work from one that has ended', async () => {
  const owner = thisProcess();
  expect(ownerState(owner)).toBe('alive');
  const child = spawn(process.execPath, ['-e', '']);
  await new Promise((resolve) => child.on('exit', resolve));
  expect(ownerState({ ...owner, pid: child.pid! })).toBe('dead');
});

it.runIf(isLinux)('knows that a process number was given to another process', () => {
  expect(ownerState({ ...thisProcess(), started: '1' })).toBe('dead');
});

it('knows nothing of processes of another machine, another boot or another namespace', () => {
  const owner = thisProcess();
  expect(ownerState({ ...owner, boot: 'another' })).toBe('unknown');
  expect(ownerState({ ...owner, namespace: 'pid:[1]' })).toBe('unknown');
  expect(ownerState({ token: owner.token, host: owner.host, pid: owner.pid })).toBe('unknown');
});

it('a heart beats while its process is busy, and not without its file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'flowgrad-heart-'));
  const path = join(folder, 'lock');
  await writeFile(path, 'who\n0');
  const stop = startHeartbeat(path, 4, 20);
  while (readFileSync(path, 'utf8') === 'who\n0') await setTimeout(10);
  const beat = readFileSync(path, 'utf8');
  const until = performance.now() + 5000;
  // Nothing else of this thread runs meanwhile.
  while (readFileSync(path, 'utf8') === beat && performance.now() < until);
  expect(readFileSync(path, 'utf8')).not.toBe(beat);
  expect(beat).toMatch(/^who\n\d+$/);
  await rm(folder, { recursive: true });
  await setTimeout(60);
  expect(() => readFileSync(path)).toThrow('ENOENT');
  await stop();
});
