/** What was read from the files of a run may be anything: each check throws an error that says what was expected. */
import * as v from 'valibot';
import type { AttentionRecord, Environment, RunResult } from './run-record.ts';

const number = v.pipe(v.number(), v.finite());
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const numbers = v.array(number);
const metricsOf = <const Entry extends v.GenericSchema>(entry: Entry) =>
  v.object({ hits1: entry, hits5: entry, hits10: entry, mr: entry, mrr: entry });
const split = v.object({ raw: metricsOf(number), filtered: metricsOf(number) });
const summary = metricsOf(v.object({ mean: number, std: number, values: numbers }));

const lineSchema = v.object({
  epoch: count,
  loss: number,
  seconds: number,
  valid: split,
  test: split,
  step: count,
  learningRate: number,
});
const positionSchema = v.object({ epoch: count, losses: numbers });
const flowSchema = v.pipe(
  v.object({ share: numbers, distance: numbers }),
  v.check(({ share, distance }) => share.length === distance.length),
);
const resultSchema = v.object({
  epochs: count,
  ceiling: v.optional(split),
  flow: v.optional(flowSchema),
  raw: summary,
  filtered: summary,
  seconds: number,
});

/** A line of metrics.jsonl: `seconds` of training and evaluation, of a resumed epoch since it was resumed. */
export type EpochRecord = DeepReadonly<v.InferOutput<typeof lineSchema>>;

/** How far a run has come: epochs completed, and the losses of the batches done in the epoch under way. */
export type Position = DeepReadonly<v.InferOutput<typeof positionSchema>>;

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

/** Lines of metrics.jsonl. */
export function checkEpochs(lines: readonly unknown[]): asserts lines is readonly EpochRecord[] {
  const [costs, rest] = ['loss and seconds', 'step and learning rate'];
  const words = { loss: costs, seconds: costs, step: rest, learningRate: rest };
  lines.forEach((each, i) => {
    const where = ` in line ${i + 1}`;
    if (!isObject(each) || each['epoch'] !== i + 1) throw otherThan(`epoch ${i + 1}${where}`);
    expectShape(lineSchema, each, words, 'all metrics', where);
  });
}

/** The content of position.json. */
export function checkPosition(value: unknown): asserts value is Position {
  expectShape(positionSchema, value, { losses: 'losses to be numbers' }, 'epoch to be a whole number');
}

export function checkEnvironments(value: unknown): asserts value is readonly Environment[] {
  if (!Array.isArray(value) || !value.every(isObject)) throw otherThan('a list of environments');
}

export function checkResult(value: unknown): asserts value is RunResult {
  const words = {
    ceiling: 'all metrics in ceiling',
    flow: 'numbers in flow, as many of share as of distance',
    raw: 'all metrics in raw and filtered',
    filtered: 'all metrics in raw and filtered',
    seconds: 'seconds to be a number',
  };
  expectShape(resultSchema, value, words, 'epochs to be a whole number');
}

export function checkAttention(value: unknown, nodeCount: number): asserts value is AttentionRecord {
  const node = v.pipe(count, v.maxValue(nodeCount - 1));
  const pairs = v.array(v.looseTuple([node, number]));
  const schema = v.object({
    trajectory: v.pipe(v.array(node), v.minLength(1)),
    top: pairs,
    focused: v.optional(v.array(pairs)),
  });
  const words = {
    trajectory: `trajectory to be nodes of the map (${nodeCount})`,
    top: 'top to be pairs of node and score',
    focused: 'focused to be pairs of node and attention for each step',
  };
  expectShape(schema, value, words, 'an object');
}

/** What is said of an entry that is wrong; `otherwise` of any other, and of what is no object at all. */
function expectShape(
  schema: v.GenericSchema,
  value: unknown,
  words: Readonly<Record<string, string>>,
  otherwise: string,
  where = '',
): void {
  const { issues } = v.safeParse(schema, isObject(value) ? value : undefined, { abortEarly: true });
  if (issues) throw otherThan(`${words[String(issues[0].path?.[0].key)] ?? otherwise}${where}`);
}

const otherThan = (what: string): Error => new Error(`expected ${what}, got something else`);
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
