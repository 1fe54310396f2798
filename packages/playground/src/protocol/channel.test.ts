import { MessageChannel } from 'node:worker_threads';
import { record, valueOf } from '@flowgrad/schema';
import { afterEach, expect, it } from 'vitest';
import { connect, nothing, serve } from './channel.ts';
import type { Port, Protocol } from './channel.ts';

const number = valueOf<number>('to be a number', Number.isFinite);
const arithmetic = {
  double: { takes: record({ value: number }), gives: number },
  fail: { takes: record({}), gives: nothing },
  lie: { takes: record({}), gives: number },
  rows: { takes: record({}), gives: valueOf<readonly Float32Array[]>('to be rows', Array.isArray) },
} satisfies Protocol;
const words = valueOf<string>('to be words', (value) => typeof value === 'string');

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
  serve(worker, arithmetic, (tell: (event: string) => void) => ({
    double: async ({ value }) => {
      tell(`doubling ${value}`);
      return 2 * value;
    },
    fail: async () => {
      throw new RangeError('double: expected a number, got none');
    },
    lie: async () => 'two' as unknown as number,
    rows: async () => rows,
  }));
  return {
    ask: connect(page, arithmetic, { schema: words, onEvent: (event) => events.push(event) }),
    events,
    rows,
  };
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
    "ask: expected a call among double, fail, lie, rows, got 'duoble' (did you mean double?)",
  );
});

it.for([
  [{ value: 'two' }, "double: expected value to be a number, got 'two'"],
  [{}, 'double: expected value to be a number, got undefined'],
  [{ value: 1, valeu: 2 }, "double: expected options among value, got 'valeu' (did you mean value?)"],
  [null, 'double: expected an object, got null'],
] as const)('a question with %j is refused before anything is done', async ([argument, message]) => {
  const { ask, events } = calculator();
  await expect(ask('double', argument as { value: number })).rejects.toThrow(message);
  expect(events).toEqual([]);
});

it('an answer that is not what the protocol says is an error here', async () => {
  const { ask } = calculator();
  await expect(ask('lie', {})).rejects.toThrow("worker: lie: expected a number, got 'two'");
});
