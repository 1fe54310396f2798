import { expect, it } from 'vitest';
import type { Examples } from './dataset.ts';
import { evaluateRanking } from './ranking-metrics.ts';
import { trueDestinations } from './true-destinations.ts';

const examples = (triples: readonly (readonly [number, number, number])[]): Examples => ({
  count: triples.length,
  sources: Int32Array.from(triples, ([source]) => source),
  queries: Int32Array.from(triples, ([, query]) => query),
  destinations: Int32Array.from(triples, ([, , destination]) => destination),
});
const dataset = {
  examples: {
    train: examples([[0, 1, 2]]),
    valid: examples([[0, 1, 3]]),
    test: examples([
      [0, 1, 4],
      [0, 0, 1],
    ]),
  },
  alsoTrue: examples([[0, 1, 5]]),
};

it('has what is true of a question in any part, and nothing of other questions', () => {
  const known = trueDestinations(dataset);
  expect([...known(0, 1)].sort()).toEqual([2, 3, 4, 5]);
  expect([...known(0, 0)]).toEqual([1]);
  expect([...known(1, 1)]).toEqual([]);
});

it('takes examples without queries as one question for each source', () => {
  const { queries: _, ...plain } = dataset.examples.test;
  const { queries: __, ...none } = examples([]);
  const known = trueDestinations({ examples: { train: none, valid: none, test: plain } });
  expect([...known(0)].sort()).toEqual([1, 4]);
});

it('is what the filtered ranking leaves out, question by question', () => {
  const asked: (number | undefined)[][] = [];
  const scoresOf = (...question: (number | undefined)[]): number[] => {
    asked.push(question);
    return [9, 1, 8, 7, 2, 3];
  };
  const { raw, filtered } = evaluateRanking(dataset.examples.test, scoresOf, {
    known: trueDestinations(dataset),
  });
  expect(asked).toEqual([
    [0, 1],
    [0, 0],
  ]);
  // 4 is fifth; without 2, 3 and 5 it is second. 1 is last of six, with or without.
  expect([raw.mr, filtered.mr]).toEqual([(5 + 6) / 2, (2 + 6) / 2]);
});
