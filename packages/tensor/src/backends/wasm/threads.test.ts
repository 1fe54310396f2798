import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it } from 'vitest';
import { setBackend } from '../../core/backend.ts';
import { TensorError } from '../../core/errors.ts';
import { scope } from '../../core/scope.ts';
import { full } from '../../create/create.ts';
import { openWasm } from '../../node/index.ts';
import { allowRelaxedSimd, startWorker } from '../../node/open-wasm.ts';
import { add } from '../../ops/elementwise/binary.op.ts';
import { exp } from '../../ops/elementwise/unary.op.ts';
import { broadcastTo } from '../../ops/shape/broadcast-to.op.ts';
import { describeDeterminism } from '../../testing/vitest/describe-determinism.ts';
import { openThreaded } from './open.ts';
import type { StartWorker } from './open.ts';
import type { WasmBackend } from './wasm-backend.ts';

allowRelaxedSimd();
const counts = [1, 2, 3, 8];
/** They divide the smallest work too, which would stay on the calling thread. */
const backends = await Promise.all(
  counts.map((threads) => openThreaded({ threads }, { cores: threads, startWorker, worthSharing: 0 })),
);
afterAll(async () => {
  setBackend(undefined);
  await Promise.all(backends.map((backend) => backend.close()));
});

describeDeterminism('on 1, 2, 3 and 8 threads', backends);

describe('threads', () => {
  it('are as many as were asked for', () => {
    expect(backends.map(({ threads }) => threads)).toEqual(counts);
    expect(backends[0].device).toMatch(/^1 thread, (plain|relaxed) SIMD$/);
    expect(backends[1].device).toMatch(/^2 threads, (plain|relaxed) SIMD$/);
  });

  it.for([0, 1.5, 65, NaN])('cannot be %s', async (threads) => {
    await expect(openWasm({ threads })).rejects.toThrow(
      `openWasm: threads must be a whole number in 1 … 64, got ${threads}`,
    );
  });

  it('refuse unknown options', async () => {
    await expect(openWasm({ thread: 2 } as object)).rejects.toThrow(
      "openWasm: expected options among simd, maximumMemory, threads, got 'thread'",
    );
    await expect(openWasm({ simd: 'avx' as 'plain' })).rejects.toThrow(
      "openWasm: expected simd among auto, plain, relaxed, got 'avx'",
    );
  });
});

/** Large enough to be divided among threads. */
const big = [1024, 1024];

async function openWith(start: StartWorker, patience = 30_000): Promise<WasmBackend> {
  const backend = await openThreaded({ threads: 2 }, { cores: 2, patience, startWorker: start });
  setBackend(backend);
  return backend;
}

/** Says that it is ready, takes a share of the first launch that it sees, and dies with it. */
const deserter = `
  const { parentPort, workerData } = require('node:worker_threads');
  const ints = new Int32Array(workerData.control);
  parentPort.postMessage('ready');
  for (;;) {
    const ticket = Atomics.load(ints, 0);
    if ((ticket & 4095) === 0) Atomics.wait(ints, 0, ticket);
    else if (Atomics.compareExchange(ints, 0, ticket, ticket - 1) === ticket) process.exit(1);
  }
`;

const startDeserter: StartWorker = async (start) => {
  const thread = new Worker(deserter, { eval: true, workerData: start });
  await once(thread, 'message');
  return {
    end: async () => {
      await thread.terminate();
    },
  };
};

describe('a worker that dies', () => {
  it('gives an error that names it', async () => {
    let thread: Worker | undefined;
    const backend = await openWith(async (start, lost) => {
      const worker = await startWorker(start, lost);
      thread = worker.thread;
      return worker;
    });
    scope(() => {
      expect(() => exp(full(big, 1))).not.toThrow();
    });
    await thread?.terminate();
    scope(() => {
      expect(() => full(big, 1)).toThrow(TensorError);
      expect(() => full(big, 1)).toThrow(
        'fill: expected 2 threads, got a failure: worker 1 of 1 ended: exit code 1 (open a new wasm backend)',
      );
    });
    await backend.close();
  });

  it('in the middle of a launch ends the wait with an error, instead of hanging', async () => {
    const backend = await openWith(startDeserter, 200);
    const before = Date.now();
    scope(() => {
      const x = full([4], 1);
      expect(() => {
        // The calling thread may take all shares of the first ones before the worker is awake.
        while (Date.now() - before < 10_000) add(broadcastTo(x, [200_000, 4]), 1).dispose();
      }).toThrow(/no share was finished for 200 ms, 1 are missing: a worker is dead or stuck/);
    });
    await backend.close();
  });

  it('before it is ready fails the opening', async () => {
    const startBroken: StartWorker = (start, lost) =>
      startWorker({ ...start, modules: [{} as (typeof start.modules)[0]] }, lost);
    await expect(openWith(startBroken)).rejects.toThrow(
      /openWasm: expected 2 threads, got Error: failed: TypeError/,
    );
  });
});

it('a kernel that fails on a worker gives an error', async () => {
  const backend = await openWasm({ threads: 2, maximumMemory: 2 ** 24 });
  const outside = 2 ** 30;
  expect(() => {
    backend.launch('exp', 1000, 1e9, { x: outside, y: outside });
  }).toThrow(/launch: expected 2 threads, got a failure: kernel exp failed on one of 2 threads/);
  await backend.close();
});

it('a closed backend says so, and still lets values be read', async () => {
  const backend = await openWasm({ threads: 2 });
  setBackend(backend);
  const x = full([3], 2);
  await backend.close();
  await backend.close();
  expect(() => exp(x)).toThrow('exp: expected an open wasm backend, got one that was closed');
  expect(await x.data()).toEqual(Float32Array.of(2, 2, 2));
  x.dispose();
});
