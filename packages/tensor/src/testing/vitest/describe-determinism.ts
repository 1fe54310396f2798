/** The loop that holds backends to the same bits, whatever their number of threads. */
import { describe, expect, it } from 'vitest';
import { benchCases } from '../../bench/index.ts';
import { setBackend } from '../../core/backend.ts';
import type { Backend } from '../../core/backend.ts';
import { scope } from '../../core/scope.ts';
import type { Tensor } from '../../core/tensor.ts';
import { tensor } from '../../create/create.ts';
import { composedCases, opCases } from '../../ops/generated/all.cases.ts';

interface Job {
  readonly name: string;
  run(): Tensor | readonly Tensor[];
}

type Values = ReturnType<(typeof benchCases)['exp'][number]['inputs']>;

const upload = (inputs: Values): Tensor[] =>
  inputs.map(({ data, shape, dtype }) => tensor(data, { shape, dtype }));

/** An op that reads and writes as much is divided into nine units and more, one for each of eight threads. */
const dividedBytes = 200_000;

/** Every case of the loops, and the smallest bench size of every op at which work is really divided. */
const jobs: readonly Job[] = [
  ...Object.entries({ ...opCases, ...composedCases }).flatMap(([op, { cases }]) =>
    cases.map((test) => ({ name: `${op} on ${test.name}`, run: () => test.run(upload(test.inputs)) })),
  ),
  ...Object.entries(benchCases).map(([op, cases]) => {
    const size = cases.find(({ bytes }) => bytes >= dividedBytes) ?? cases[1];
    return { name: `${op} at ${size.name}`, run: () => size.prepare()(upload(size.inputs())) };
  }),
];

async function bitsOn(backend: Backend, job: Job): Promise<Int32Array[]> {
  setBackend(backend);
  try {
    return await scope(async () => {
      const made = job.run();
      const tensors = Array.isArray(made) ? (made as readonly Tensor[]) : [made as Tensor];
      const values = await Promise.all(tensors.map((x) => x.data()));
      return values.map(({ buffer, byteOffset, length }) => new Int32Array(buffer, byteOffset, length));
    });
  } finally {
    setBackend(undefined);
  }
}

function firstDifference(a: Int32Array, b: Int32Array): number | undefined {
  const at = a.findIndex((bits, i) => bits !== b[i]);
  return at < 0 && a.length === b.length ? undefined : at;
}

/** Every job gives the same bits on each backend; `label` completes "the same bits …". */
export function describeDeterminism(label: string, [first, ...others]: readonly Backend[]): void {
  describe(`the same bits ${label}`, () => {
    // Many threads on few cores that others use too take their time.
    it.for(jobs)('$name', { timeout: 60_000 }, async (job) => {
      const expected = await bitsOn(first, job);
      for (const backend of others) {
        const actual = await bitsOn(backend, job);
        expect(actual.map((bits, k) => firstDifference(bits, expected[k]))).toEqual(
          expected.map(() => undefined),
        );
      }
    });
  });
}
