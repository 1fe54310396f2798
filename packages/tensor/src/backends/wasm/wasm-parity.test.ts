import { afterAll } from 'vitest';
import { openWasm } from '../../node/index.ts';
import { allowRelaxedSimd, startWorker } from '../../node/open-wasm.ts';
import { openWatchdog } from '../../node/watchdog.ts';
import { describeParity } from '../../testing/vitest/describe-checks.ts';
import { openThreaded, wasmBackend } from './open.ts';

allowRelaxedSimd();
/** Divides the smallest work too, which would stay on the calling thread. */
const sharing = { cores: 2, startWorker, worthSharing: 0 };

const unshared = await wasmBackend({ simd: 'plain' });
const one = await openWasm({ threads: 1, simd: 'plain' });
const two = await openThreaded({ threads: 2, simd: 'plain' }, sharing);
const fused = await openThreaded({ threads: 2, simd: 'relaxed' }, sharing);

afterAll(() => Promise.all([two, fused].map((backend) => backend.close())));

const { guard } = openWatchdog();

describeParity('wasm, one thread, any environment', () => unshared, guard);
describeParity('wasm, plain SIMD, one thread', () => one, guard);
describeParity('wasm, plain SIMD, two threads', () => two, guard);
describeParity('wasm, relaxed SIMD, two threads', () => fused, guard);
