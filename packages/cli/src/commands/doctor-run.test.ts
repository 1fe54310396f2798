import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runCaptured } from '../testing/run-captured.ts';
import { temporaryFolders } from '../testing/temporary-folder.ts';
import { onWasm, trainWords } from '../testing/tiny-run.ts';

const emptyFolder = temporaryFolders();
let root: string;
beforeAll(async () => {
  root = await emptyFolder();
  expect(await runCaptured(trainWords(join(root, 'run')))).toMatchObject({ code: 0 });
});

/** A copy of the run, with one file changed. */
async function damaged(name: string, path: string, content?: string): Promise<string> {
  const run = join(root, name);
  await cp(join(root, 'run'), run, { recursive: true });
  if (content === undefined) await rm(join(run, path));
  else await writeFile(join(run, path), content);
  return run;
}

test('a run with which nothing is wrong is exit code 0, also one that others have put something into', async () => {
  const run = await damaged('good', 'notes.txt', 'mine');
  expect(await runCaptured(['doctor', run])).toEqual({
    code: 0,
    stdout:
      `${run}: GGNN-MulMlp+epochs=2 on SINE-SZ6-STP4-NDRP-STD0.2, 2 of 2 epochs, done\n` +
      'Nothing is wrong.\n  Not of this run, and left alone: notes.txt\n',
    stderr: '',
  });
});

test('damage is exit code 1, named with what can be done, and that helps', async () => {
  const run = await damaged('summary', 'summary.json', '{}');
  const { code, stdout } = await runCaptured(['doctor', run]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^✗ summary\.json: expected the \d+ bytes that the manifest lists, got 2 bytes$/m);
  expect(stdout).toContain(`• Or flowgrad train --resume ${run} --from-epoch 2 goes on after epoch 2.\n`);
  const words = ['train', '--resume', run, '--from-epoch', '2', ...onWasm];
  expect(await runCaptured(words)).toMatchObject({ code: 0 });
  expect(await runCaptured(['doctor', run])).toMatchObject({ code: 0 });
  await rm(run, { recursive: true });
});

test('looks at every run below a folder, and as JSON', async () => {
  const below = join(root, 'many');
  await cp(join(root, 'run'), join(below, 'a'), { recursive: true });
  await cp(join(root, 'run'), join(below, 'b'), { recursive: true });
  await rm(join(below, 'b', 'config.json'));
  const { code, stdout } = await runCaptured(['doctor', below, '--json']);
  expect(code).toBe(1);
  const found = JSON.parse(stdout) as { folder: string; findings: { file: string }[] }[];
  expect(found.map(({ folder, findings }) => [folder, findings.map(({ file }) => file)])).toEqual([
    [join(below, 'a'), []],
    [join(below, 'b'), ['config.json']],
  ]);
  await rm(below, { recursive: true });
});

test('a run of an older release is looked at as far as that goes', async () => {
  const run = join(root, 'older');
  await cp(join(root, 'run'), run, { recursive: true });
  for (const name of await readdir(run, { recursive: true })) {
    if (/^manifest-|^checkpoints.*metrics\.jsonl$/.test(name)) await rm(join(run, name));
  }
  const { code, stdout } = await runCaptured(['doctor', run]);
  expect(code).toBe(0);
  expect(stdout).toContain('It has no manifest, as runs of older releases');
  await writeFile(join(run, 'metrics.jsonl'), 'null\n');
  expect(await runCaptured(['doctor', run])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('✗ metrics.jsonl: expected epoch 1 in line 1') as string,
  });
  await rm(run, { recursive: true });
});

test('a run that has lost its manifest is no run of an older release, and the way out is one', async () => {
  const run = join(root, 'lost');
  await cp(join(root, 'run'), run, { recursive: true });
  for (const name of await readdir(run)) if (name.startsWith('manifest-')) await rm(join(run, name));
  const { code, stdout } = await runCaptured(['doctor', run]);
  expect(code).toBe(1);
  expect(stdout).toContain('✗ manifest-*.json: expected the manifest of a run, got none beside checkpoints/');
  expect(stdout).toContain(`• Or flowgrad train --resume ${run} lists the other files in a new manifest`);
  expect(stdout).not.toContain('older');
  expect(await runCaptured(['train', '--resume', run, ...onWasm])).toMatchObject({ code: 0 });
  expect(await runCaptured(['doctor', run])).toMatchObject({ code: 0 });
  await rm(run, { recursive: true });
});

test('evaluate, show and report refuse what is damaged, and name it', async () => {
  const metrics = await damaged('metrics', 'metrics.jsonl', '');
  const expected = { code: 1, stderr: expect.stringContaining('metrics.jsonl: expected the') as string };
  for (const command of ['evaluate', 'show', 'report']) {
    expect(await runCaptured([command, metrics]), command).toMatchObject(expected);
  }
  await rm(metrics, { recursive: true });
  const snapshot = 'snapshots/epoch-0001.safetensors';
  const bytes = await readFile(join(root, 'run', snapshot));
  bytes[bytes.length - 2] ^= 1;
  const flipped = await damaged('flipped', snapshot, '');
  await writeFile(join(flipped, snapshot), bytes);
  expect(await runCaptured(['evaluate', flipped, '--epoch', '1'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${snapshot}: expected the`) as string,
  });
  await rm(flipped, { recursive: true });
});

const ofReport = ['config.json', 'metrics.jsonl', 'summary.json', 'attention.json', 'environment.json'];
test.for(ofReport)('report says that a bit of %s was flipped, as doctor does', async (path) => {
  const run = await damaged('flipped', path, '');
  const bytes = await readFile(join(root, 'run', path));
  bytes[bytes.length >> 1] ^= 1;
  await writeFile(join(run, path), bytes);
  const words = `${path}: expected the ${bytes.length} bytes that the manifest lists, got other content`;
  expect(await runCaptured(['doctor', run])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(words) as string,
  });
  expect(await runCaptured(['report', run, '--out', join(root, 'report.html')])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(words) as string,
  });
  await rm(run, { recursive: true });
});

test.for(['evaluate', 'show'])('%s says that a bit of the parameters was flipped', async (command) => {
  for (const path of await readdir(join(root, 'run', 'snapshots'))) {
    const run = await damaged('flipped', join('snapshots', path), '');
    const bytes = await readFile(join(root, 'run', 'snapshots', path));
    bytes[bytes.length - 2] ^= 1;
    await writeFile(join(run, 'snapshots', path), bytes);
    const epoch = String(Number(/\d+/.exec(path)?.[0]));
    expect(await runCaptured([command, run, '--epoch', epoch, ...onWasm])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${path}: expected the`) as string,
    });
    await rm(run, { recursive: true });
  }
});

test('a folder without runs is wrong usage', async () => {
  expect(await runCaptured(['doctor', await emptyFolder()])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('expected a run folder') as string,
  });
});
