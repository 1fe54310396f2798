/** Bench cases over the edges and nodes of a graph. */
import { rowIndex, segments } from '../core/row-index.ts';
import type { RowIndex } from '../core/row-index.ts';
import type { Tensor } from '../core/tensor.ts';
import { bytesOf, edgeTypes, noise, noiseIds, sizes, sortedNoiseIds, width } from './bench-case.ts';
import type { BenchCase, BenchSize } from './bench-case.ts';

export const senders = ({ nodes, edges }: BenchSize): RowIndex =>
  segments(sortedNoiseIds(edges, nodes), nodes);
export const receivers = ({ nodes, edges }: BenchSize): RowIndex => rowIndex(noiseIds(edges, nodes), nodes);
export const types = ({ edges }: BenchSize): RowIndex => rowIndex(noiseIds(edges, edgeTypes), edgeTypes);

/** One case a size, named by its edges and nodes. */
export const graphs = (make: (size: BenchSize) => Omit<BenchCase, 'name'>): BenchCase[] =>
  sizes.map((size) => ({ name: `${size.edges} edges, ${size.nodes} nodes`, ...make(size) }));

/** Rows of edges reduced to rows of nodes. */
export const reduced = (
  run: (x: Tensor, index: RowIndex) => Tensor,
  index: (size: BenchSize) => RowIndex,
): BenchCase[] =>
  graphs((size) => ({
    inputs: () => [noise([size.edges, width])],
    prepare: () => {
      const made = index(size);
      return ([x]) => run(x, made);
    },
    bytes: bytesOf([size.edges, width], [size.nodes, width], [size.edges]),
  }));
