import { afterAll } from 'vitest';
import { openWasm } from '../../node/index.ts';
import { describeParity } from '../../testing/loops.ts';
import { wasmBackend } from './open.ts';

const unshared = await wasmBackend({ simd: 'plain' });
const one = await openWasm({ threads: 1, simd: 'plain' });
const two = await openWasm({ threads: 2, simd: 'plain' });
const fused = await openWasm({ threads: 2, simd: 'relaxed' });

afterAll(() => Promise.all([two, fused].map((backend) => backend.close())));

describeParity('wasm, one thread, any environment', () => unshared);
describeParity('wasm, plain SIMD, one thread', () => one);
describeParity('wasm, plain SIMD, two threads', () => two);
describeParity('wasm, relaxed SIMD, two threads', () => fused);
