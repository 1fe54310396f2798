/** From expressions to tensors: what is read from one end is computed once per row, the rest once per edge. */
import {
  add,
  concat,
  edgeDot,
  gather,
  gatherMul,
  gatherTanh,
  linear,
  matmul,
  mul,
  reshape,
  segmentSoftmax,
  slice,
  tanh,
  TensorError,
  typedLinear,
} from '@flowgrad/tensor';
import type { RowIndex, Tensor } from '@flowgrad/tensor';
import { DerivedWeight, typed } from './edge-expression.ts';
import type { EdgeExpression, LinearWeights, Term } from './edge-expression.ts';
import { permuted, weightOf } from './edge-space.ts';
import type { EdgeSet, EdgeSpace } from './edge-space.ts';
import { endOf, hasType } from './rewrite.ts';

/** The value of edge k is values[index k], or values[k] without an index. */
export interface Form {
  readonly values: Tensor;
  readonly index?: RowIndex | undefined;
}

type TermOf<Kind extends Term['kind']> = Extract<Term, { readonly kind: Kind }>;

/** Computes expressions, each once for the edges it is asked for. */
export class Lowering {
  readonly space: EdgeSpace;
  readonly #parent: Lowering | undefined;
  readonly #known = new Map<EdgeExpression, Map<EdgeSet, Form>>();
  readonly #parts = new Map<Term, readonly EdgeExpression[]>();

  /** What `parent` has computed is not computed again. */
  constructor(space: EdgeSpace, parent?: Lowering) {
    this.space = space;
    this.#parent = parent;
  }

  /** [edges, …shape] */
  spread(x: EdgeExpression, edges: EdgeSet): Tensor {
    const { values, index } = this.form(x, edges);
    return index ? gather(values, index) : values;
  }

  form(x: EdgeExpression, edges: EdgeSet): Form {
    const known = this.#find(x, edges);
    if (known) return known;
    const form = this.#compute(x, edges);
    const forms = this.#known.get(x) ?? new Map<EdgeSet, Form>();
    this.#known.set(x, forms);
    forms.set(edges, form);
    return form;
  }

  /** What is known of the same edges; or of more edges, of which these are some. */
  #find(x: EdgeExpression, edges: EdgeSet): Form | undefined {
    const forms = this.#known.get(x);
    const exact = forms?.get(edges);
    if (exact) return exact;
    for (const [others, { values, index }] of forms ?? []) {
      const places = index ? undefined : edges.placesIn(others);
      if (places) return { values, index: places === 'same' ? undefined : places };
    }
    return this.#parent && this.#parent.#find(x, edges);
  }

  #compute(x: EdgeExpression, edges: EdgeSet): Form {
    const { term } = x;
    switch (term.kind) {
      case 'read':
        return { values: this.space.valuesAt(term.end, term.x), index: edges.rowsOf(term.end) };
      case 'action': {
        const values = this.space.valuesAt('sender', term.x);
        const [rows, types, ...shape] = values.shape;
        return { values: reshape(values, [rows * types, ...shape]), index: edges.typedRowsOf('sender') };
      }
      case 'constant':
        throw new TensorError(
          'sumIn',
          'option',
          'expected a value that differs from edge to edge, got a constant',
        );
      case 'map': {
        const acted = term.fn === tanh && endOf(x) === undefined ? this.#tanhOfSum(term.x, edges) : undefined;
        return acted ? { values: acted } : this.#onRows(x, term.x, edges, term.fn);
      }
      case 'linear':
        return this.#onRows(x, term.x, edges, (values) =>
          applied(weightOf(this.space, term.layer.w), term.layer.b, values),
        );
      case 'typed':
        return term.parts.length > 1 ? this.#typedParts(term, edges) : this.#typed(term, edges);
      case 'dotTyped':
        return { values: this.#dotTyped(term, edges) };
      case 'plus':
      case 'times':
        return this.#combined(x, term, edges);
      case 'softmax':
        return this.#softmax(term, edges);
    }
  }

  /** `fn` of what the rows have, where one end is read; else of what the edges have. */
  #onRows(x: EdgeExpression, of: EdgeExpression, edges: EdgeSet, fn: (values: Tensor) => Tensor): Form {
    if (endOf(x) === undefined) return { values: fn(this.spread(of, edges)) };
    const { values, index } = this.form(of, edges);
    return { values: fn(values), index };
  }

  /**
   * One product for all rows and types, of which each edge reads a slice; a product per edge where the value is the
   * edge's own.
   */
  #typed({ layer, parts: [x] }: TermOf<'typed'>, edges: EdgeSet): Form {
    const shape = layer.w.shape.slice(2);
    const end = hasType(x) ? undefined : endOf(x);
    if (end === undefined) {
      const out = sizeOf(shape);
      const [types, width] = layer.w.shape;
      const values = typedLinear(
        this.spread(x, edges),
        reshape(weightOf(this.space, layer.w), [types, width, out]),
        edges.types,
        layer.b && reshape(layer.b, [types, out]),
      );
      return { values: reshape(values, [edges.count, ...shape]) };
    }
    const { values } = this.form(x, edges);
    const product = affine(values, this.#sideBySide(layer.w), layer.b && this.#flat(layer.b));
    const slices = [values.shape[0] * this.space.edgeTypeCount, ...shape];
    return { values: reshape(product, slices), index: edges.typedRowsOf(end) };
  }

  /** In one op, where it is a sum of values that are each read through an index. */
  #tanhOfSum(x: EdgeExpression, edges: EdgeSet): Tensor | undefined {
    const terms = this.#termsOf(x);
    if (terms.length < 2 || this.#find(x, edges)) return undefined;
    const forms = terms.map((term) => this.form(term, edges));
    const gathered = forms.flatMap(({ values, index }) => (index ? [{ x: values, index }] : []));
    const [first, ...others] = gathered;
    return gathered.length === forms.length ? gatherTanh([first, ...others]) : undefined;
  }

  /** What an expression is the sum of, all of its own shape; of any other the expression alone. */
  #termsOf(x: EdgeExpression): readonly EdgeExpression[] {
    const { term, shape } = x;
    if (term.kind === 'typed') return term.parts.length > 1 ? this.#partsOf(term) : [x];
    if (term.kind !== 'plus' || endOf(x) !== undefined) return [x];
    const { left, right } = term;
    const areAlike = [left, right].every((side) => side.space && side.shape.length === shape.length);
    return areAlike ? [...this.#termsOf(left), ...this.#termsOf(right)] : [x];
  }

  #typedParts(term: TermOf<'typed'>, edges: EdgeSet): Form {
    const parts = this.#partsOf(term).map((part) => this.spread(part, edges));
    return { values: parts.reduce((total, part) => add(total, part)) };
  }

  /** W_type [x : y] = W¹_type x + W²_type y, so that no edge has both side by side. The bias goes with the last. */
  #partsOf(term: TermOf<'typed'>): readonly EdgeExpression[] {
    const { layer, parts } = term;
    if (parts.length === 1) return [typed(layer, parts[0])];
    const known = this.#parts.get(term);
    if (known) return known;
    let start = 0;
    const made = parts.map((part, i) => {
      const [from, to] = [start, start + part.shape[0]];
      start = to;
      const w = this.space.once([layer.w], `channels ${from} to ${to}`, () =>
        channels(weightOf(this.space, layer.w), from, to),
      );
      return typed({ w, ...(i === parts.length - 1 && layer.b && { b: layer.b }) }, part);
    });
    this.#parts.set(term, made);
    return made;
  }

  /** Kernels [types, in, …shape] as [in, types · out]: one product gives x·W_type for every row and type. */
  #sideBySide(w: LinearWeights['w']): Tensor {
    const [types, width, ...shape] = w.shape;
    const [first, second, ...others] = w instanceof DerivedWeight ? w.axes : w.shape.map((_, axis) => axis);
    return this.space.once([w], 'side by side', () => {
      const made = w instanceof DerivedWeight ? w.make() : w;
      return reshape(permuted(made, [second, first, ...others]), [width, types * sizeOf(shape)]);
    });
  }

  #flat(b: Tensor): Tensor {
    return this.space.once([b], 'flat', () => reshape(b, [b.size]));
  }

  /**
   * Makes what an expression shares with others: the rows that are read, and weights. What is computed again in the
   * backward pass must find it made.
   */
  prepare({ term }: EdgeExpression): void {
    switch (term.kind) {
      case 'read':
        this.space.valuesAt(term.end, term.x);
        return;
      case 'action':
        this.space.valuesAt('sender', term.x);
        return;
      case 'typed':
        for (const part of term.parts) this.prepare(part);
        for (const { term: part } of this.#partsOf(term)) {
          const { w, b } = (part as TermOf<'typed'>).layer;
          this.#sideBySide(w);
          if (b) this.#flat(b);
        }
        return;
      case 'dotTyped':
        this.prepare(term.sender);
        this.prepare(term.receiver);
        return;
      case 'plus':
      case 'times':
        this.prepare(term.left);
        this.prepare(term.right);
        return;
      case 'constant':
        return;
      default:
        this.prepare(term.x);
    }
  }

  #dotTyped({ layer, sender, receiver }: TermOf<'dotTyped'>, edges: EdgeSet): Tensor {
    const [x, y] = [this.form(sender, edges), this.form(receiver, edges)];
    const [types, width] = layer.w.shape;
    const { b } = layer;
    if (x.index && y.index && b && !hasType(sender) && !hasType(receiver)) {
      return edgeDot(x.values, y.values, {
        senders: x.index,
        receivers: y.index,
        types: edges.types,
        weight: reshape(weightOf(this.space, layer.w), [types, width]),
        bias: reshape(b, [types]),
      });
    }
    const [left, right] = [this.spread(sender, edges), this.spread(receiver, edges)];
    const joined = concat([left, right, mul(left, right)], 1);
    return reshape(typedLinear(joined, weightOf(this.space, layer.w), edges.types, b), [edges.count]);
  }

  #combined(x: EdgeExpression, { kind, left, right }: TermOf<'plus' | 'times'>, edges: EdgeSet): Form {
    const op = kind === 'plus' ? add : mul;
    for (const [side, other] of [
      [left, right],
      [right, left],
    ]) {
      if (other.term.kind !== 'constant') continue;
      const { value } = other.term;
      return this.#onRows(x, side, edges, (values) => op(aligned(values, x.shape.length), value));
    }
    const rank = x.shape.length;
    if (endOf(x) !== undefined) {
      const [a, b] = [this.form(left, edges), this.form(right, edges)];
      return { values: op(aligned(a.values, rank), aligned(b.values, rank)), index: a.index };
    }
    if (kind === 'times' && left.shape.length === right.shape.length) {
      const product = gathered(this.form(left, edges), this.form(right, edges));
      if (product) return { values: product };
    }
    return { values: op(aligned(this.spread(left, edges), rank), aligned(this.spread(right, edges), rank)) };
  }

  #softmax({ over, x }: TermOf<'softmax'>, edges: EdgeSet): Form {
    const all = this.#siblings(over);
    const values = segmentSoftmax(this.spread(x, all.edges), all.segments);
    const places = edges === all.edges ? 'same' : edges.placesIn(all.edges);
    return { values, index: places === 'same' ? undefined : places };
  }

  /** All edges that share a sender or a receiver, side by side. */
  #siblings(over: 'sender' | 'receiver'): { readonly edges: EdgeSet; readonly segments: RowIndex } {
    const { out, in: arrivals, inIsComplete } = this.space;
    if (over === 'sender' && out) return { edges: out.edges, segments: out.senders };
    if (over === 'receiver' && arrivals && inIsComplete) {
      return { edges: arrivals.edges, segments: arrivals.into };
    }
    throw new TensorError(
      over === 'sender' ? 'softmaxOut' : 'softmaxIn',
      'option',
      `expected all edges of every ${over}, got a step of a plan that computes some of them`,
    );
  }
}

/** x[i]·y[j] in one op, where at least one of the two is read through an index. */
function gathered(a: Form, b: Form): Tensor | undefined {
  const [x, y] = b.index ? [a, b] : [b, a];
  if (!y.index) return undefined;
  return gatherMul(x.values, y.values, { yRows: y.index, ...(x.index && { xRows: x.index }) });
}

/** With ones at the end of its shape until one row has `rank` axes: heads stand under heads. */
export function aligned(values: Tensor, rank: number): Tensor {
  const missing = rank + 1 - values.rank;
  return missing <= 0 ? values : reshape(values, [...values.shape, ...new Array<number>(missing).fill(1)]);
}

function applied(w: Tensor, b: Tensor | undefined, values: Tensor): Tensor {
  const width = values.shape.at(-1)!;
  const product = affine(reshape(values, [values.size / width, width]), w, b);
  return reshape(product, [...values.shape.slice(0, -1), w.shape[1]]);
}

function affine(x: Tensor, w: Tensor, b: Tensor | undefined): Tensor {
  return b ? linear(x, w, b) : matmul(x, w);
}

function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, extent) => product * extent, 1);
}

/** The part of the weights [types, in, …] that belongs to channels from … to − 1 of the input. */
function channels(weight: Tensor, from: number, to: number): Tensor {
  const start = weight.shape.map((_, axis) => (axis === 1 ? from : 0));
  return slice(weight, start, weight.shape.with(1, to));
}
