/** Every run with its settings, its machine and the command that trains it again. */
import { nearlyBest, rankingOf } from '../metrics/best-epochs.ts';
import type { RunConfig } from '../run/run-config.ts';
import type { Environment } from '../run/run-record.ts';
import type { RunGroup } from './group-runs.ts';
import { markup } from './markup.ts';
import type { Content, Markup } from './markup.ts';
import { nameMarkup } from './name-markup.ts';
import { formatDuration, listed } from './number-format.ts';
import { isTrained, progressOf } from './report-run.ts';
import type { ReportRun } from './report-run.ts';
import { reproduceCommand } from './reproduce-command.ts';

interface NamedRun {
  readonly name: string;
  readonly run: ReportRun;
}

export function whatRan(group: RunGroup): Markup {
  const runs = group.variants.flatMap(({ name, runs: own }) => own.map((run): NamedRun => ({ name, run })));
  const commands = runs.map(({ run }) => reproduceCommand(run.config));
  return markup`<dl><dt>Settings</dt>${different(runs, ({ config }) => [settingsOf(config)])}<dt>Machine</dt>${different(runs, ({ environments }) => environments.map(machineOf))}</dl>
<div class="scroll"><table class="runs"><thead><tr><th scope="col">Run</th><th scope="col">State</th><th scope="col" class="number">Time</th><th scope="col" class="number">An epoch</th><th scope="col" class="number">95 % of its best MRR</th></tr></thead>
<tbody>${runs.map(({ run }) => runRow(run))}</tbody></table></div>
<pre>${commands.map((command) => `${command}\n`)}</pre>`;
}

function runRow(run: ReportRun): Markup {
  const { epochs, environments } = run;
  const seconds = epochs.reduce((sum, epoch) => sum + epoch.seconds, 0);
  const near = nearlyBest(epochs, rankingOf(run.config));
  const resumed = environments.flatMap(({ fromStep }) => (fromStep > 1 ? [fromStep] : []));
  const state = `${stateOf(run)}${resumed.length > 0 ? `, resumed at step ${listed(resumed)}` : ''}`;
  const time = (of: number): string => (epochs.length === 0 ? '–' : formatDuration(of));
  return markup`<tr><th scope="row"><code>${nameMarkup(run.name)}</code></th><td>${state}</td><td class="number">${time(seconds)}</td><td class="number">${time(seconds / epochs.length)}</td><td class="number">${near ? formatDuration(near.seconds) : '–'}</td></tr>\n`;
}

function stateOf(run: ReportRun): string {
  if (run.result) return `done, ${run.epochs.length} epochs`;
  return isTrained(run) ? 'trained, no summary yet' : `under way, ${progressOf(run)}`;
}

/** Each text once, with the models it holds for unless it holds for all. */
function different(runs: readonly NamedRun[], textsOf: (run: ReportRun) => readonly string[]): Content {
  const names = new Map<string, Set<string>>();
  for (const { name, run } of runs) {
    for (const text of textsOf(run)) names.set(text, (names.get(text) ?? new Set()).add(name));
  }
  if (names.size === 0) return markup`<dd>not recorded</dd>`;
  return [...names].map(
    ([text, of]) =>
      markup`<dd>${names.size > 1 && markup`<b>${[...of].map((name, i) => [i > 0 && ', ', nameMarkup(name)])}:</b> `}${text}</dd>`,
  );
}

function settingsOf({ options, features, batch, learningRates, epochs, plan }: RunConfig): string {
  const parts = Object.entries(options).map(([key, value]) => `${key} = ${String(value)}`);
  if (features) parts.push(`features ${JSON.stringify(features)}`);
  parts.push(`${epochs} epochs`, `batches of ${batch}`, `learning rates ${learningRates.join(', ')}`);
  return [...parts, `${plan} plan`].join('; ');
}

const machineOf = ({ device, processor, platform, node, flowgrad }: Environment): string =>
  `${device}; ${processor}; ${platform}; Node ${node}; Flowgrad ${flowgrad}`;
