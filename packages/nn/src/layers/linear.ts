import { add, concat, linear, matmul, rejectUnknownOptions, reshape, TensorError } from '@flowgrad/tensor';
import type { TableRows, Tensor } from '@flowgrad/tensor';
import { expectExtents } from '../options.ts';
import { showShape } from '../shape.ts';
import { startAffine } from './affine-parameters.ts';
import type { AffineParameters, AffineStart } from './affine-parameters.ts';
import { read, tablesIn, weightsAround } from './table-parts.ts';
import type { Part } from './table-parts.ts';

/** Sizes of a linear layer, and how its parameters start. */
export interface LinearOptions extends AffineStart {
  readonly in: number;
  readonly out: number;
}

/** Parameters `w` [in, out] and `b` [out]. */
export interface Linear extends AffineParameters {
  /**
   * x [.., n, in], or the parts [n, …] that lie side by side in it, → [.., n, out]. Of parts that are rows of tables, the tables are
   * multiplied, each once for all who read it; with gradients where they have far fewer rows.
   */
  apply(this: void, x: Tensor | readonly (Tensor | TableRows)[]): Tensor;
}

/** y = x·W + b, on rows. */
export function createLinear(options: LinearOptions): Linear {
  const where = 'createLinear';
  rejectUnknownOptions(where, options, ['in', 'out', 'key', 'w', 'b']);
  const { in: width, out } = options;
  expectExtents(where, { in: width, out });
  const { w, b } = startAffine(where, options, { w: [width, out], b: [out] });
  /** [x : u[i] : g[j]]·W + b = x·W_x + b + (u·W_u)[i] + (g·W_g)[j] */
  const ofParts = (parts: readonly Part[]): Tensor => {
    const given = tablesIn(parts, w);
    const others = parts.filter((part) => !given.some((each) => each === part)).map(read);
    if (given.length === 0 || others.length === 0 || !b) return apply(concat(parts.map(read), 1));
    const [weight, ...ofTables] = given[0].once(w, () => weightsAround(given, parts, w));
    const products = given.map((each, i) => {
      const [product] = each.once(ofTables[i], (table) => [matmul(table, ofTables[i])]);
      return each.read(product);
    });
    const x = others.length > 1 ? concat(others, 1) : others[0];
    return products.reduce((total, each) => add(total, each), linear(x, weight, b));
  };
  const apply: Linear['apply'] = (x) => {
    if (!('shape' in x)) return ofParts(x);
    if (x.rank < 2 || x.shape.at(-1) !== width) {
      throw new TensorError(
        'linear',
        'shape',
        `x must have shape [.., n, ${width}], got ${showShape(x.shape)}`,
      );
    }
    if (!b) return matmul(x, w);
    if (x.rank === 2) return linear(x, w, b);
    const rows = reshape(x, [x.size / width, width]);
    return reshape(linear(rows, w, b), [...x.shape.slice(0, -1), out]);
  };
  return b ? { w, b, apply } : { w, apply };
}
