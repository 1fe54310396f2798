import { MessageChannel } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { connect, serve } from './channel.ts';
import type { Port } from './channel.ts';

interface Arithmetic {
  double(request: { readonly value: number }): Promise<number>;
  fail(request: object): Promise<void>;
  rows(request: object): Promise<readonly Float32Array[]>;
}

const opened: MessageChannel[] = [];
afterEach(() => opened.splice(0).forEach(({ port1 }) => port1.close()));

function channel(): [Port, Port] {
  const made = new MessageChannel();
  opened.push(made);
  for (const port of [made.port1, made.port2]) port.start();
  return [made.port1 as unknown as Port, made.port2 as unknown as Port];
}

function calculator() {
  const [page, worker] = channel();
  const events: string[] = [];
  const rows = [new Float32Array([1, 2]), new Float32Array([3])];
  serve<Arithmetic, string>(worker, (tell) => ({
    double: async ({ value }) => {
      tell(`doubling ${value}`);
      return 2 * value;
    },
    fail: async () => {
      throw new RangeError('double: expected a number, got none');
    },
    rows: async () => rows,
  }));
  return { ask: connect<Arithmetic, string>(page, (event) => events.push(event)), events, rows };
}

it('each question gets its own answer, and events come before what they precede', async () => {
  const { ask, events } = calculator();
  expect(await Promise.all([1, 2, 3].map((value) => ask('double', { value })))).toEqual([2, 4, 6]);
  expect(events).toEqual(['doubling 1', 'doubling 2', 'doubling 3']);
});

it('an error over there is an error here, with its name', async () => {
  const { ask } = calculator();
  await expect(ask('fail', {})).rejects.toMatchObject({
    name: 'RangeError',
    message: 'double: expected a number, got none',
  });
});

it('rows of numbers are moved, not copied', async () => {
  const { ask, rows } = calculator();
  expect((await ask('rows', {})).map((row) => [...row])).toEqual([[1, 2], [3]]);
  expect(rows.map(({ length }) => length)).toEqual([0, 0]);
});

it('a question that nobody answers is an error that lists the others', async () => {
  const { ask } = calculator();
  await expect(ask('duoble' as 'double', { value: 1 })).rejects.toThrow(
    "ask: expected a call among double, fail, rows, got 'duoble' (did you mean double?)",
  );
});
