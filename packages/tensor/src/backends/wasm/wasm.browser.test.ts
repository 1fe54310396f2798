import { afterAll, describe, expect, inject, it } from 'vitest';
import { openWasm } from '../../browser/index.ts';
import { startWorker } from '../../browser/open-wasm.ts';
import { describeDeterminism } from '../../testing/vitest/describe-determinism.ts';
import { describeParity } from '../../testing/vitest/describe-checks.ts';
import { openThreaded, wasmBackend } from './open.ts';

const isolated = inject('isolated');
const alone = await wasmBackend({ simd: 'plain' });
/** Divides the smallest work too, which would stay on the calling thread. */
const sharing = { cores: 2, startWorker, worthSharing: 0 };
const two = await openThreaded({ threads: 2, simd: 'plain' }, sharing);
const fused = await openWasm({ threads: 3 });
const many = await Promise.all([1, 3].map((threads) => openThreaded({ threads, simd: 'plain' }, sharing)));

afterAll(() => Promise.all([two, fused, ...many].map((backend) => backend.close())));

it(`uses ${isolated ? 'the threads asked for' : 'one thread, for the page may not share memory'}`, () => {
  expect([two, fused].map(({ threads }) => threads)).toEqual(isolated ? [2, 3] : [1, 1]);
});

it('uses fused multiply-add where the engine has it', () => {
  expect(fused.simd).toBe('relaxed');
});

describeParity('wasm, one thread', () => alone);
describeParity('wasm, opened for two threads', () => two);
describeParity('wasm, relaxed SIMD, opened for three threads', () => fused);
// In the other page all of them have one thread, as the first test shows, and are one and the same.
describe.runIf(isolated)('threads', () =>
  describeDeterminism('on 1, 2 and 3 threads', [many[0], two, many[1]]),
);
