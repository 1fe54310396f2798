import { bytesOf, noise, sizes, width } from '../../bench/bench-case.ts';
import type { BenchCase, BenchRun } from '../../bench/bench-case.ts';
import { fill } from '../fill/fill.op.ts';
import { argmax } from '../reduce/argmax.op.ts';
import { max } from '../reduce/max.op.ts';
import { sum } from '../reduce/sum.op.ts';
import { logSoftmax, softmax } from '../softmax/softmax.op.ts';
import { broadcastTo } from './broadcast-to.op.ts';
import { concat } from './concat.op.ts';
import { pad } from './pad.op.ts';
import { permute } from './permute.op.ts';
import { slice } from './slice.op.ts';

/** One matrix [nodes, columns] in, a tensor of the given shape out. */
const over = (
  run: BenchRun,
  result: (nodes: number) => readonly number[],
  columns: number = width,
): BenchCase[] =>
  sizes.map(({ nodes }) => ({
    name: `[${nodes}, ${columns}]`,
    inputs: () => [noise([nodes, columns])],
    prepare: () => run,
    bytes: bytesOf([nodes, columns], result(nodes)),
  }));

/** Ops that move or reduce values: bound by memory. */
export const movementBench = {
  fill: over(
    ([x]) => fill({ shape: x.shape, dtype: 'float32', value: 1 }),
    () => [],
  ),
  permute: over(
    ([x]) => permute(x, [1, 0]),
    (nodes) => [nodes, width],
  ),
  broadcastTo: sizes.map(({ nodes }) => ({
    name: `[${width}] to [${nodes}, ${width}]`,
    inputs: () => [noise([width])],
    prepare:
      () =>
      ([x]) =>
        broadcastTo(x, [nodes, width]),
    bytes: bytesOf([nodes, width]),
  })),
  concat: sizes.map(({ nodes }) => ({
    name: `three of [${nodes}, ${width}]`,
    inputs: () => [1, 2, 3].map(() => noise([nodes, width])),
    prepare: () => (xs) => concat(xs, 1),
    bytes: 2 * bytesOf([nodes, 3 * width]),
  })),
  slice: over(
    ([x]) => slice(x, [0, width], [x.shape[0], 2 * width]),
    (nodes) => [nodes, width],
    2 * width,
  ),
  pad: over(
    ([x]) =>
      pad(x, [
        [0, 0],
        [width, 0],
      ]),
    (nodes) => [nodes, 2 * width],
  ),
  sum: over(
    ([x]) => sum(x, 0),
    () => [width],
  ),
  max: over(
    ([x]) => max(x, 1),
    (nodes) => [nodes],
  ),
  argmax: over(
    ([x]) => argmax(x, 1),
    (nodes) => [nodes],
  ),
  softmax: over(
    ([x]) => softmax(x),
    (nodes) => [nodes, width],
  ),
  logSoftmax: over(
    ([x]) => logSoftmax(x),
    (nodes) => [nodes, width],
  ),
} satisfies Record<string, readonly BenchCase[]>;
