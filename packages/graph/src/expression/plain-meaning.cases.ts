/** What edge expressions mean, in plain loops over edges: the definition that lowering is held to. */
import type { Tensor } from '@flowgrad/tensor';
import type { Graph } from '../graph.ts';
import type { EdgeExpression, RowFunction } from './edge-expression.ts';

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const size = (shape: readonly number[]): number => shape.reduce((product, extent) => product * extent, 1);

/** Reads tensors on the host; they must have been read by `load` before. */
export class PlainMeaning {
  readonly #data = new Map<Tensor, ArrayLike<number>>();
  readonly #graph: Graph;
  readonly #scalars: ReadonlyMap<RowFunction, (x: number) => number>;

  /** `scalars` says what the functions of `map` do to a number. */
  constructor(graph: Graph, scalars: ReadonlyMap<RowFunction, (x: number) => number>) {
    this.#graph = graph;
    this.#scalars = scalars;
  }

  async load(tensors: readonly Tensor[]): Promise<void> {
    for (const each of tensors) this.#data.set(each, await each.data());
  }

  /** Puts other values in the place of a tensor's. */
  replace(of: Tensor, values: ArrayLike<number>): void {
    this.#data.set(of, values);
  }

  /** The value of edge e, flat. */
  valueOf(e: number, x: EdgeExpression): number[] {
    const { senders, receivers, edgeTypes } = this.#graph;
    const { term } = x;
    switch (term.kind) {
      case 'read': {
        const row = {
          sender: senders[e],
          receiver: receivers[e],
          edge: e,
          example: 0,
          attention: senders[e],
          type: edgeTypes[e],
        }[term.end];
        return this.#rowOf(term.x, row);
      }
      case 'action': {
        const own = this.#rowOf(term.x, senders[e]);
        const width = size(term.x.shape.slice(2));
        return own.slice(edgeTypes[e] * width, (edgeTypes[e] + 1) * width);
      }
      case 'constant':
        return typeof term.value === 'number' ? [term.value] : Array.from(this.#data.get(term.value)!);
      case 'map': {
        return this.valueOf(e, term.x).map(this.#scalars.get(term.fn)!);
      }
      case 'linear':
        return this.#affine(
          this.valueOf(e, term.x),
          term.layer.w as Tensor,
          term.layer.b,
          term.layer.w.shape[0],
          0,
        );
      case 'typed': {
        const joined = term.parts.flatMap((part) => this.valueOf(e, part));
        return this.#affine(joined, term.layer.w as Tensor, term.layer.b, joined.length, edgeTypes[e]);
      }
      case 'dotTyped': {
        const [a, b] = [this.valueOf(e, term.sender), this.valueOf(e, term.receiver)];
        const joined = [...a, ...b, ...a.map((value, c) => value * b[c])];
        return this.#affine(joined, term.layer.w as Tensor, term.layer.b, joined.length, edgeTypes[e]);
      }
      case 'plus':
      case 'times': {
        const [a, b] = [term.left, term.right].map((side) => this.#broadcast(e, side, x.shape));
        return a.map((value, c) => (term.kind === 'plus' ? value + b[c] : value * b[c]));
      }
      case 'softmax': {
        const end = term.over === 'sender' ? senders : receivers;
        const siblings = range(senders.length).filter((other) => end[other] === end[e]);
        const totals = siblings.map((other) => this.valueOf(other, term.x).map(Math.exp));
        return this.valueOf(e, term.x).map(
          (value, c) => Math.exp(value) / totals.reduce((sum, each) => sum + each[c], 0),
        );
      }
    }
  }

  /** [nodes · size]: Σ by receiver. */
  sumIn(x: EdgeExpression): number[] {
    const width = size(x.shape);
    const sums = new Array<number>(this.#graph.nodeCount * width).fill(0);
    this.#graph.receivers.forEach((receiver, e) => {
      this.valueOf(e, x).forEach((value, c) => (sums[receiver * width + c] += value));
    });
    return sums;
  }

  #rowOf(x: Tensor, row: number): number[] {
    const width = size(x.shape.slice(1));
    return range(width).map((c) => this.#data.get(x)![row * width + c]);
  }

  #affine(x: readonly number[], w: Tensor, b: Tensor | undefined, width: number, type: number): number[] {
    const out = size(w.shape) / (w.shape.length > 2 ? w.shape[0] : 1) / width;
    const [weights, bias] = [this.#data.get(w)!, b && this.#data.get(b)!];
    return range(x.length / width).flatMap((block) =>
      range(out).map((o) =>
        range(width).reduce(
          (sum, i) => sum + x[block * width + i] * weights[(type * width + i) * out + o],
          bias ? bias[type * out + o] : 0,
        ),
      ),
    );
  }

  #broadcast(e: number, side: EdgeExpression, shape: readonly number[]): number[] {
    const values = this.valueOf(e, side);
    const total = size(shape);
    // Constants repeat, values of edges are stretched: a constant is broadcast from the right, a head over its channels.
    if (side.term.kind === 'constant') return range(total).map((c) => values[c % values.length]);
    return range(total).map((c) => values[Math.floor((c * values.length) / total)]);
  }
}
