import { memory, referenceBackend } from '@flowgrad/tensor';
import { benchCases } from '@flowgrad/tensor/bench';
import { expect, test } from 'vitest';
import { benchKernels } from './kernels.ts';

test('times the named ops at every size and frees what it made', async () => {
  const before = memory();
  const timings = await benchKernels(referenceBackend(), { filter: 'segmentSoftmaxGrad', seconds: 0.01 });
  expect(timings.map(({ size }) => size)).toEqual(benchCases.segmentSoftmaxGrad.map(({ name }) => name));
  for (const { seconds, gigabytes, ofCopy } of timings) {
    for (const figure of [seconds, gigabytes, ofCopy]) expect(figure).toBeGreaterThan(0);
  }
  expect(memory()).toEqual(before);
});

test('has at least three sizes of every op', () => {
  for (const [op, cases] of Object.entries(benchCases)) expect(cases.length, op).toBeGreaterThanOrEqual(3);
});

test('says when a case fails, instead of waiting for ever', async () => {
  const backend = referenceBackend();
  backend.synchronise = () => Promise.reject(new Error('device lost'));
  await expect(benchKernels(backend, { filter: 'neg', seconds: 0.01 })).rejects.toThrow('device lost');
});
