/** What `sweep status` shows: a table of what is not over, and how many runs are in each state. */
import { textTable } from '@flowgrad/files';
import type { RunStatus, SweepStatus } from '@flowgrad/sweeps';
import { runTitle } from '../runs/train-with-progress.ts';
import { formatDuration } from '../terminal/duration.ts';

const states = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;
/** More of one state than this are counted, not listed. */
const listed = 30;

export function statusLines(sweeps: readonly SweepStatus[], runs: readonly RunStatus[]): string[] {
  const table = textTable(
    ['sweep', ...states],
    sweeps.map(({ sweep, counts }) => [sweep, ...states.map((state) => String(counts[state]))]),
  );
  const running = runs.filter(({ state }) => state === 'running');
  const failed = runs.filter(({ state }) => state === 'failed');
  const lines = [
    ...table.split('\n'),
    ...(running.length > 0 ? ['', ...runningTable(running)] : []),
    ...(failed.length > 0
      ? ['', ...failed.slice(0, listed).map(failedLine), ...others(failed, 'failed')]
      : []),
  ]; // Names and reasons come from other machines: a terminal must not take them for commands.
  return lines.map((line) => line.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' '));
}

function runningTable(running: readonly RunStatus[]): string[] {
  const rows = running
    .slice(0, listed)
    .map(({ config, worker = '', epoch, step, steps, secondsLeft, silentSeconds = 0 }) => [
      runTitle(config),
      worker,
      `${epoch} of ${config.epochs}`,
      step === undefined || steps === undefined ? '' : `${((100 * step) / steps).toFixed(0)} %`,
      secondsLeft === undefined ? '' : formatDuration(secondsLeft),
      silentSeconds < 60 ? '' : `silent for ${formatDuration(silentSeconds)}`,
    ]);
  const text = textTable(['running', 'worker', 'epoch', 'steps', 'left', ''], rows, { left: 2 });
  return [...text.split('\n'), ...others(running, 'running')];
}

const failedLine = ({ config, reason = 'no reason given', run }: RunStatus): string =>
  `failed: ${runTitle(config)} (${run.slice(0, 12)}): ${reason}`;

const others = (runs: readonly RunStatus[], what: string): string[] =>
  runs.length > listed ? [`and ${runs.length - listed} more ${what}`] : [];
