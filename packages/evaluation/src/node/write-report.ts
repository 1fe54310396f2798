/** The report of all runs below a folder. */
import { lstat, mkdir, open } from 'node:fs/promises';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { replaceFile } from '@flowgrad/files/node';
import { bestShufflings } from '../metrics/best-epochs.ts';
import { checkReportRun } from '../report/check-run.ts';
import { isReport, reportHtml } from '../report/report-html.ts';
import type { ReportOptions } from '../report/report-html.ts';
import type { ReportRun } from '../report/report-run.ts';
import {
  findRuns,
  readAttention,
  readConfig,
  readEnvironments,
  readEpochs,
  readResult,
} from './run-folder.ts';

/** What went into a report, and how large it is. */
export interface WrittenReport {
  readonly runs: readonly ReportRun[];
  readonly bytes: number;
}

/** What a report is of, beside its looks. */
export interface WriteReportOptions extends ReportOptions {
  /** Of runs that differ in their shuffling alone, the one that is best on validation. */
  readonly onlyBestShufflings?: boolean;
}

/** Writes the report to the file `out`, replacing an older report but no other file. What is broken in a run is an error that names its file. */
export async function writeReport(
  folder: string,
  out: string,
  { onlyBestShufflings = false, ...options }: WriteReportOptions = {},
): Promise<WrittenReport> {
  const folders = await findRuns(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
  if (folders.length === 0) {
    throw new Error(
      `report: expected runs below ${folder}, got none (a run is a folder with a config.json; train one first)`,
    );
  }
  const all: ReportRun[] = [];
  for (const each of folders) all.push(await readReportRun(each, nameOf(folder, each)));
  const runs = onlyBestShufflings ? bestShufflings(all) : all;
  const page = new TextEncoder().encode(reportHtml(runs, options));
  await mkdir(dirname(resolve(out)), { recursive: true });
  await expectReplaceable(out);
  await replaceFile(out, page);
  return { runs, bytes: page.length };
}

/** What is no report is somebody's, and is not replaced. */
async function expectReplaceable(out: string): Promise<void> {
  const refused = (got: string): Error =>
    new Error(
      `report: expected no file at ${out}, or a report to replace, got ${got} (choose another name, or move it away)`,
    );
  const found = await lstat(out).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!found) return;
  if (!found.isFile()) throw refused(found.isDirectory() ? 'a folder' : 'what is no ordinary file');
  if (!isReport(await beginningOf(out))) throw refused('another file');
}

async function beginningOf(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read({ buffer: new Uint8Array(2 ** 16) });
    return new TextDecoder().decode(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/** Relative, and with the same separator everywhere: a report says nothing of the machine's folders. */
const nameOf = (root: string, folder: string): string =>
  relative(root, folder).split(sep).join('/') || basename(resolve(folder));

async function readReportRun(folder: string, name: string): Promise<ReportRun> {
  const config = await readConfig(folder).catch((error: unknown) => {
    throw new Error(
      `report: expected a run in ${folder}, got a broken config.json (${(error as Error).message})`,
    );
  });
  if (!config) throw new Error(`report: expected a run in ${folder}, but its config.json has gone`);
  // Before the epochs: a run that ends in between has all of them then.
  const result = await readResult(folder);
  const attention = result && (await readAttention(folder));
  const run: ReportRun = {
    name,
    config,
    epochs: await readEpochs(folder),
    ...(result && { result }),
    ...(attention && { attention }),
    environments: await readEnvironments(folder),
  };
  checkReportRun(run, folder);
  return run;
}
