/** Bench cases over matrices with a row for each node. */
import type { Tensor } from '../core/tensor.ts';
import { bytesOf, noise, sizes, width } from './bench-case.ts';
import type { BenchCase, BenchRun } from './bench-case.ts';

/** One matrix [nodes, columns] in, a tensor of the given shape out. */
export const over = (
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

/** One matrix in, one of its shape out. */
export const one = (run: (x: Tensor) => Tensor, min = -2, max = 2): BenchCase[] =>
  sizes.map(({ nodes }) => ({
    name: `[${nodes}, ${width}]`,
    inputs: () => [noise([nodes, width], min, max)],
    prepare:
      () =>
      ([x]) =>
        run(x),
    bytes: bytesOf([nodes, width], [nodes, width]),
  }));

/** Two matrices in, one of their shape out. */
export const two = (run: (a: Tensor, b: Tensor) => Tensor, min = 0.5, max = 2): BenchCase[] =>
  sizes.map(({ nodes }) => ({
    name: `[${nodes}, ${width}] and the same`,
    inputs: () => [noise([nodes, width], min, max), noise([nodes, width], min, max)],
    prepare:
      () =>
      ([a, b]) =>
        run(a, b),
    bytes: bytesOf([nodes, width], [nodes, width], [nodes, width]),
  }));
