import { afterAll } from 'vitest';
import { openWasm } from '../../node/index.ts';
import { allowRelaxedSimd, startWorker } from '../../node/open-wasm.ts';
import { describeParity } from '../../testing/loops.ts';
import { openThreaded, wasmBackend } from './open.ts';

allowRelaxedSimd();
/** Divides the smallest work too, which would stay on the calling thread. */
const sharing = { cores: 2, startWorker, worthSharing: 0 };

const unshared = await wasmBackend({ simd: 'plain' });
const one = await openWasm({ threads: 1, simd: 'plain' });
const two = await openThreaded({ threads: 2, simd: 'plain' }, sharing);
const fused = await openThreaded({ threads: 2, simd: 'relaxed' }, sharing);

afterAll(() => Promise.all([two, fused].map((backend) => backend.close())));

describeParity('wasm, one thread, any environment', () => unshared);
describeParity('wasm, plain SIMD, one thread', () => one);
describeParity('wasm, plain SIMD, two threads', () => two);
describeParity('wasm, relaxed SIMD, two threads', () => fused);
