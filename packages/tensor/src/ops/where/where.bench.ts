import { bytesOf, integers, noise, sizes, width } from '../../bench/bench-case.ts';
import type { BenchCase } from '../../bench/bench-case.ts';
import { where } from './where.op.ts';

export const whereBench = {
  where: sizes.map(({ nodes }) => ({
    name: `[${nodes}, ${width}]`,
    inputs: () => [integers([nodes, width], 'bool', 2), noise([nodes, width]), noise([nodes, width])],
    prepare:
      () =>
      ([mask, a, b]) =>
        where(mask, a, b),
    bytes: bytesOf(...new Array<number[]>(4).fill([nodes, width])),
  })),
} satisfies Record<string, readonly BenchCase[]>;
