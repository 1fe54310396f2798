import { afterAll, expect, inject, it } from 'vitest';
import { openWasm } from '../../browser/index.ts';
import { describeDeterminism } from '../../testing/determinism.ts';
import { describeParity } from '../../testing/loops.ts';
import { wasmBackend } from './open.ts';

const isolated = inject('isolated');
const alone = await wasmBackend({ simd: 'plain' });
const two = await openWasm({ threads: 2, simd: 'plain' });
const fused = await openWasm({ threads: 3 });
const many = await Promise.all([1, 3].map((threads) => openWasm({ threads, simd: 'plain' })));

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
describeDeterminism('on 1, 2 and 3 threads', [many[0], two, many[1]]);
