import { expect, it } from 'vitest';
import { transitDataset } from '../example/transit.ts';
import { edgeClasses } from './edge-classes.ts';

const edges = (list: readonly (readonly [number, number, number])[], edgeTypeNames: readonly string[]) => ({
  senders: Int32Array.from(list, ([from]) => from),
  receivers: Int32Array.from(list, ([, to]) => to),
  edgeTypes: Int32Array.from(list, ([, , type]) => type),
  edgeTypeNames,
});

it('the lines of the network are one class each, both directions together', () => {
  const { graph, edgeTypeNames } = transitDataset();
  const { names, classes } = edgeClasses({ ...graph, edgeTypeNames: edgeTypeNames! })!;
  expect(names).toEqual(['Amber', 'Birch', 'Cobalt', 'Dune', 'Elm', 'Fern', 'Garnet']);
  expect([...classes]).toEqual(Array.from(graph.edgeTypes, (type) => type >> 1));
});

it('types that do not always lead back are classes of their own', () => {
  const list = [
    ...([
      [0, 1, 0],
      [1, 0, 1],
    ] as const),
    // Nothing leads back from here.
    ...([
      [1, 2, 0],
      [2, 3, 2],
      [3, 2, 2],
    ] as const),
  ];
  expect(edgeClasses(edges(list, ['to', 'from', 'beside']))).toEqual({
    names: ['to', 'from', 'beside'],
    classes: Int32Array.of(0, 1, 0, 2, 2),
  });
});

it('no types, one class, or more than can be told apart, are none', () => {
  expect(
    edgeClasses(
      edges(
        [
          [0, 1, 0],
          [1, 0, 1],
        ],
        ['a', 'b'],
      ),
    ),
  ).toBeUndefined();
  expect(edgeClasses(edges([[0, 1, 0]], []))).toBeUndefined();
  const names = Array.from({ length: 9 }, (_, type) => `type ${type}`);
  expect(
    edgeClasses(
      edges(
        names.map((_, type) => [type, type + 1, type]),
        names,
      ),
    ),
  ).toBeUndefined();
});
