import { bytesOf, noise, sizes, width } from '../../bench/bench-case.ts';
import type { BenchCase } from '../../bench/bench-case.ts';
import { over } from '../../bench/rows-case.ts';
import { broadcastTo } from './broadcast-to.op.ts';
import { concat } from './concat.op.ts';
import { pad } from './pad.op.ts';
import { permute } from './permute.op.ts';
import { slice } from './slice.op.ts';

export const shapeBench = {
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
} satisfies Record<string, readonly BenchCase[]>;
