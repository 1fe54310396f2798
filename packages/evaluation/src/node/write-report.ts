/** The report of all runs below a folder. */
import { mkdir } from 'node:fs/promises';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { expectReplaceable, replaceFile } from '@flowgrad/files/node';
import { bestShufflings } from '../metrics/best-epochs.ts';
import { checkReportRun } from '../report/check-run.ts';
import { isReport, reportHtml } from '../report/report-html.ts';
import type { ReportOptions } from '../report/report-html.ts';
import type { ReportRun } from '../report/report-run.ts';
import { isDenied, readRuns } from './read-runs.ts';
import type { LeftOutRun, ReadRuns } from './read-runs.ts';
import { readAttention, readConfig, readEnvironments, readEpochs, readResult } from './run-folder.ts';

/** What went into a report, and how large it is. */
export interface WrittenReport {
  readonly runs: readonly ReportRun[];
  /** What is not in it, as this user may not read it. */
  readonly leftOut: readonly LeftOutRun[];
  readonly bytes: number;
}

/** What a report is of, beside its looks. */
export interface WriteReportOptions extends ReportOptions {
  /** Of runs that differ in their shuffling alone, the one that is best on validation. */
  readonly onlyBestShufflings?: boolean;
}

/**
 * Writes the report to the file `out`, replacing an older report but no other file. Runs that this user may not read are left out and
 * named. What is broken in a run is an error that names its file.
 */
export async function writeReport(
  folder: string,
  out: string,
  { onlyBestShufflings = false, ...options }: WriteReportOptions = {},
): Promise<WrittenReport> {
  const { runs: all, leftOut } = await readRuns(folder, (each) =>
    readReportRun(each, nameOf(folder, each)),
  ).catch((error: NodeJS.ErrnoException): ReadRuns<ReportRun> => {
    const { code, path } = error;
    const isAbsent = (code === 'ENOENT' || code === 'ENOTDIR') && path === folder;
    if (!isAbsent) throw error;
    return { runs: [], leftOut: [] };
  });
  if (all.length === 0) {
    const unread = leftOut.map((each) => `${each.folder}: ${each.reason}`).join('; ');
    throw new Error(
      leftOut.length > 0
        ? `report: expected runs below ${folder} that this user may read, got none (left out: ${unread})`
        : `report: expected runs below ${folder}, got none (a run is a folder with a config.json; train one first)`,
    );
  }
  const runs = onlyBestShufflings ? bestShufflings(all) : all;
  const page = new TextEncoder().encode(reportHtml(runs, options));
  await mkdir(dirname(resolve(out)), { recursive: true });
  await expectReplaceable(out, {
    where: 'report',
    what: 'a report',
    isOne: (beginning) => isReport(new TextDecoder().decode(beginning)),
  });
  await replaceFile(out, page);
  return { runs, leftOut, bytes: page.length };
}

/** Relative, and with the same separator everywhere: a report says nothing of the machine's folders. */
const nameOf = (root: string, folder: string): string =>
  relative(root, folder).split(sep).join('/') || basename(resolve(folder));

async function readReportRun(folder: string, name: string): Promise<ReportRun> {
  const config = await readConfig(folder).catch((error: unknown) => {
    if (isDenied(error)) throw error;
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
