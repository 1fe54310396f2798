import { defineCommand } from '../command.ts';
import { switchFlag } from '../flags/flag.ts';
import { verboseFlag } from '../flags/run-flags.ts';
import { inspectMachine } from '../machine/inspect-machine.ts';
import type { AdapterFinding, Machine } from '../machine/inspect-machine.ts';

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Tells what this machine can train on, and what is missing.',
  usage: 'doctor [flags]',
  examples: [
    { line: 'doctor', about: 'for people' },
    { line: 'doctor --json', about: 'for a bug report' },
  ],
  flags: { json: switchFlag('the findings as JSON'), ...verboseFlag },
  run: async ({ flags, stdout }) => {
    const machine = await inspectMachine();
    stdout.write(flags.json ? `${JSON.stringify(machine, undefined, 2)}\n` : `${describe(machine)}\n`);
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
