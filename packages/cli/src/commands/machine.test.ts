import { expect, test } from 'vitest';
import { runCaptured, tinyWorld } from '../testing/run-captured.ts';
import { onWasm } from '../testing/tiny-run.ts';

test('bench tells steps per second of both plans', async () => {
  const words = [
    'bench',
    '--groups',
    tinyWorld,
    '--models',
    'GAT,RW-Stationary',
    '--seconds',
    '0.01',
    ...onWasm,
  ];
  const { backend, worlds } = JSON.parse((await runCaptured([...words, '--json'])).stdout) as {
    backend: string;
    worlds: { timings: { plan: string; stepsPerSecond: number; planning: number }[] }[];
  };
  expect(backend).toMatch(/^wasm, 1 thread/);
  expect(worlds[0].timings.map(({ plan }) => plan)).toEqual(['cone', 'dense', 'cone', 'dense']);
  for (const { stepsPerSecond, planning } of worlds[0].timings) {
    expect(stepsPerSecond).toBeGreaterThan(0);
    expect(planning).toBeGreaterThan(0);
    expect(planning).toBeLessThanOrEqual(1);
  }
  expect((await runCaptured(words)).stdout).toMatch(/GAT +cone +[\d.]+ +[\d.]+ % +[\d.]+ ×\nGAT +dense/);
});

test('doctor finds wasm, and does not fail for want of a GPU', async () => {
  const { code, stdout } = await runCaptured('doctor --json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ node: process.version, wasm: { simd: true } });
  const { stdout: text } = await runCaptured('doctor');
  for (const title of ['Node', 'Processor', 'wasm SIMD', 'WebGPU, hardware', '--device auto']) {
    expect(text).toMatch(new RegExp(`^${title} `, 'm'));
  }
});
