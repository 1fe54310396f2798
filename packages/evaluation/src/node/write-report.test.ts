import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { elementsOf, exampleRun } from '../report/report-runs.cases.ts';
import type { ReportRun } from '../report/report-run.ts';
import { writeReport } from './write-report.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'flowgrad-report-'));
});
afterEach(() => rm(root, { recursive: true }));

async function writeRun(folder: string, run: ReportRun): Promise<void> {
  const { config, epochs, result, attention, environments } = run;
  await mkdir(folder, { recursive: true });
  const files: Record<string, unknown> = { config, summary: result, attention, environment: environments };
  for (const [name, value] of Object.entries(files)) {
    if (value !== undefined) await writeFile(join(folder, `${name}.json`), JSON.stringify(value));
  }
  await writeFile(
    join(folder, 'metrics.jsonl'),
    epochs.map((epoch) => `${JSON.stringify(epoch)}\n`).join(''),
  );
}

it('writes the report of all runs below a folder, and says what it found', async () => {
  await writeRun(join(root, 'runs', 'a'), exampleRun());
  await writeRun(join(root, 'runs', 'deep', 'b'), exampleRun({ seed: 2 }, { isDone: false }));
  const out = join(root, 'new folder', 'report.html');
  const { runs, bytes } = await writeReport(join(root, 'runs'), out, { title: 'All of it' });
  expect(runs.map(({ name, result }) => [name, result !== undefined])).toEqual([
    ['a', true],
    ['deep/b', false],
  ]);
  expect(runs[0]).toEqual({ ...exampleRun(), name: 'a' });
  const page = await readFile(out);
  expect(page.length).toBe(bytes);
  elementsOf(page.toString());
  expect(page.toString()).toContain('<h1>All of it</h1>');
  expect(page.toString()).not.toContain(root);
  // An older report is replaced, and nothing else is left behind.
  await writeReport(join(root, 'runs', 'a'), out);
  expect(await readdir(join(root, 'new folder'))).toEqual(['report.html']);
});

it('replaces a report of any title, and nothing else', async () => {
  await writeRun(join(root, 'runs', 'a'), exampleRun());
  const out = join(root, 'page.html');
  const write = (title: string) => writeReport(join(root, 'runs'), out, { title });
  await write('A title with <b>, & and “quotes”');
  await write('Another');
  const report = await readFile(out, 'utf8');
  expect(report).toContain('<h1>Another</h1>');
  const notes =
    '<!doctype html>\n<html lang="en">\n<head>\n<title>Notes on “Modeling Attention Flow on Graphs”</title>';
  for (const mine of [notes, 'my thesis', '', `<!-- kept -->\n${report}`]) {
    await writeFile(out, mine);
    await expect(write('again')).rejects.toThrow(
      `report: expected no file at ${out}, or a report to replace, got another file (choose another name, or move it away)`,
    );
    expect(await readFile(out, 'utf8')).toBe(mine);
  }
  await rm(out);
  await symlink('elsewhere.html', out);
  await expect(write('again')).rejects.toThrow('got what is no ordinary file');
  await rm(out);
  await mkdir(out);
  await expect(write('again')).rejects.toThrow('got a folder');
  expect((await readdir(root)).sort()).toEqual(['page.html', 'runs']);
});

/** Root may read anything: as root, `fn` runs as a user who may not. */
async function asUser<T>(fn: () => Promise<T>): Promise<T> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid!(65534);
  try {
    return await fn();
  } finally {
    if (isRoot) process.seteuid!(0);
  }
}

describe.runIf(process.platform !== 'win32')('runs that this user may not read', () => {
  const runs = (): string => join(root, 'runs');
  beforeEach(async () => {
    for (const name of ['a', 'b', 'c', 'deep/d']) await writeRun(join(runs(), name), exampleRun());
    await chmod(root, 0o777);
  });
  const closed: string[] = [];
  const close = async (path: string): Promise<void> => {
    await chmod(join(runs(), path), 0);
    closed.push(join(runs(), path));
  };
  afterEach(async () => {
    for (const path of closed.splice(0)) await chmod(path, 0o700);
  });

  it('are left out and named, be it the folder or one of their files', async () => {
    for (const path of ['a', 'b/config.json', 'deep']) await close(path);
    const out = join(root, 'report.html');
    const report = await asUser(() => writeReport(runs(), out));
    expect(report.runs.map(({ name }) => name)).toEqual(['c']);
    const sorted = [...report.leftOut].sort((x, y) => (x.folder < y.folder ? -1 : 1));
    expect(sorted).toEqual([
      {
        folder: join(runs(), 'a'),
        reason: expect.stringContaining(`permission denied, ${join(runs(), 'a')}`) as string,
      },
      { folder: join(runs(), 'b'), reason: `permission denied, ${join(runs(), 'b/config.json')}` },
      {
        folder: join(runs(), 'deep'),
        reason: expect.stringContaining(`permission denied, ${join(runs(), 'deep')}`) as string,
      },
    ]);
    await writeFile(join(runs(), 'c', 'summary.json'), '[');
    await expect(asUser(() => writeReport(runs(), out))).rejects.toThrow('summary.json');
  });

  it('are an error if nothing else is there', async () => {
    await close('a');
    await expect(asUser(() => writeReport(join(runs(), 'a'), join(root, 'report.html')))).rejects.toThrow(
      `report: expected runs below ${join(runs(), 'a')} that this user may read, got none (left out: ` +
        `${join(runs(), 'a')}: permission denied`,
    );
    expect(await readdir(root)).toEqual(['runs']);
  });
});

it.each(['.', 'missing'])('says so if there are no runs: %s', async (folder) => {
  await expect(writeReport(join(root, folder), join(root, 'report.html'))).rejects.toThrow(
    /^report: expected runs below .*, got none \(a run is a folder with a config\.json/,
  );
  expect(await readdir(root)).toEqual([]);
});

const epoch = exampleRun().epochs[0];
it.each([
  ['config.json', '{', /config\.json/],
  [
    'config.json',
    '{"group":"SINE-SZ8-STP4-EDRP-STD0.2","model":"GNN"}',
    /config\.json.*expected model among/,
  ],
  ['metrics.jsonl', '{"epoch":1}\n', /metrics\.jsonl: expected loss and seconds in line 1/],
  [
    'metrics.jsonl',
    `${JSON.stringify({ ...epoch, valid: { raw: {} } })}\n`,
    /metrics\.jsonl: expected all metrics in line 1/,
  ],
  ['metrics.jsonl', `${JSON.stringify(epoch)}\n{"epo`, /metrics\.jsonl, line 2/],
  [
    'metrics.jsonl',
    `${JSON.stringify(epoch)}\n`,
    /metrics\.jsonl: expected 4 lines, as summary\.json is there/,
  ],
  ['summary.json', '[', /summary\.json/],
  ['summary.json', '{"epochs":4,"ceiling":{}}', /summary\.json: expected all metrics in ceiling/],
  ['summary.json', '{"epochs":4,"flow":{"share":["x"]}}', /summary\.json: expected numbers in flow/],
  ['attention.json', '{"trajectory":[5000],"top":[]}', /attention\.json: expected trajectory to be nodes/],
  ['attention.json', '{"trajectory":[1],"top":[[1]]}', /attention\.json: expected top to be pairs/],
  [
    'attention.json',
    '{"trajectory":[1],"top":[],"focused":[[["<b>",1]]]}',
    /attention\.json: expected focused/,
  ],
  ['environment.json', '{}', /environment\.json: expected a list/],
])('names a broken %s: %s', async (file, content, message) => {
  await writeRun(join(root, 'run'), exampleRun());
  await writeFile(join(root, 'run', file), content);
  const attempt = writeReport(root, join(root, 'report.html'));
  await expect(attempt).rejects.toThrow(message);
  await expect(attempt).rejects.toThrow(join(root, 'run'));
});
