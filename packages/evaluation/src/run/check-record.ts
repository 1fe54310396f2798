/** What was read from the files of a run may be anything: each check throws an error that says what was expected. */
import * as v from 'valibot';
import {
  attentionSchema,
  environmentsSchema,
  lineSchema,
  positionSchema,
  resultSchema,
} from './run-record.ts';
import type { AttentionRecord, Environment, EpochRecord, Position, RunResult } from './run-record.ts';

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
  if (!v.is(environmentsSchema, value)) throw otherThan('a list of environments');
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
  const words = {
    trajectory: `trajectory to be nodes of the map (${nodeCount})`,
    top: 'top to be pairs of node and score',
    focused: 'focused to be pairs of node and attention for each step',
    stopped: 'stopped to be pairs of node and attention for each step',
    attended: 'attended to be parts of the graph, of bounded size, whose edges join their nodes',
    source: `source to be a node of the map (${nodeCount})`,
    epoch: 'epoch to be a whole number',
  };
  expectShape(attentionSchema(nodeCount), value, words, 'an object');
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
