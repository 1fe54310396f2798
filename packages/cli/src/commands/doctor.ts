import { findRuns } from '@flowgrad/evaluation/node';
import { defineCommand, exitCodes } from '../command.ts';
import { switchFlag } from '../flags/flag.ts';
import { verboseFlag } from '../flags/run-flags.ts';
import { inspectMachine } from '../machine/inspect-machine.ts';
import type { AdapterFinding, Machine } from '../machine/inspect-machine.ts';
import { describeFindings, findingsOf } from '../runs/run-findings.ts';
import { UsageError } from '../usage-error.ts';

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Tells what this machine can train on, or what is wrong with a run folder.',
  usage: 'doctor [run folder] [flags]',
  takes: [0, 1],
  examples: [
    { line: 'doctor', about: 'for people' },
    { line: 'doctor --json', about: 'for a bug report' },
    { line: 'doctor runs', about: 'every run below a folder: what is damaged, and what can be done' },
  ],
  flags: { json: switchFlag('the findings as JSON'), ...verboseFlag },
  run: async ({ args: [folder], flags, stdout }) => {
    if (folder !== undefined) {
      const runs = await findRuns(folder);
      if (runs.length === 0)
        throw new UsageError(`doctor: expected a run folder, got ${folder} without config.json`);
      const found = [];
      for (const run of runs) found.push(await findingsOf(run));
      stdout.write(
        flags.json ? `${JSON.stringify(found)}\n` : `${found.map(describeFindings).join('\n\n')}\n`,
      );
      return found.some(({ findings }) => findings.length > 0) ? exitCodes.failure : exitCodes.ok;
    }
    const machine = await inspectMachine();
    stdout.write(flags.json ? `${JSON.stringify(machine, undefined, 2)}\n` : `${describe(machine)}\n`);
    return exitCodes.ok;
  },
});

function describe({
  flowgrad,
  node,
  platform,
  processor,
  cores,
  memory,
  wasm,
  webgpu,
  auto,
  advice,
}: Machine): string {
  const rows: [string, string][] = [
    ['Flowgrad', flowgrad],
    ['Node', node],
    ['Platform', platform],
    ['Processor', `${processor}, ${cores} ${cores === 1 ? 'core' : 'cores'}, ${memory} GiB`],
    ['wasm SIMD', wasm.simd ? 'yes' : 'no'],
    ['relaxed SIMD', wasm.relaxedSimd ? 'yes (fused multiply-add)' : 'no'],
    ['wasm threads', wasm.threads > 1 ? String(wasm.threads) : 'no'],
    ['WebGPU, hardware', adapterText(webgpu.hardware)],
    ['WebGPU, software', adapterText(webgpu.software)],
    ['--device auto', auto],
  ];
  const width = Math.max(...rows.map(([title]) => title.length));
  const lines = rows.map(
    ([title, text]) => `${title.padEnd(width)}  ${text.replaceAll('\n', `\n${' '.repeat(width + 2)}`)}`,
  );
  return [
    ...lines,
    '',
    ...(advice.length === 0 ? ['Nothing is missing.'] : advice.map((each) => `• ${each}`)),
  ].join('\n');
}

function adapterText(adapter: AdapterFinding): string {
  if (!adapter.found) return ['none', ...adapter.tried.map((line) => `- ${line}`)].join('\n');
  const limits = Object.entries(adapter.limits).map(([name, value]) => `${name} ${value}`);
  const features = adapter.features.length === 0 ? 'no optional features' : adapter.features.join(', ');
  return [adapter.name, features, ...limits].join('\n');
}
