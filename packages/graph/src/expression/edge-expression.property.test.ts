import { leakyRelu, mul, parameter, sum, tanh, tensor, valueAndGrad } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGraph } from '../graph.ts';
import { edgeLists } from '../random-graphs.cases.ts';
import { dotTyped, softmaxIn, softmaxOut, typed } from './edge-expression.ts';
import type { EdgeExpression } from './edge-expression.ts';
import { edgesOf } from './edges-of.ts';
import { PlainMeaning } from './plain-meaning.cases.ts';
import { sumIn } from './reductions.ts';

useReference({ precision: 'float64' });

/** Choices by which an expression is made: each picks one form out of several. */
const choices = fc.array(fc.nat(99), { minLength: 12, maxLength: 12 });

const d = 2;
const bent = (x: Tensor): Tensor => leakyRelu(x, 0.2);
const scalars = new Map([
  [tanh, Math.tanh],
  [bent, (x: number) => (x > 0 ? x : 0.2 * x)],
]);

/** A random expression over random values; `given` lists all tensors it reads. */
function build(graph: ReturnType<typeof createGraph>, picks: readonly number[], given: Tensor[]) {
  let drawn = 0;
  const next = (count: number): number => picks[drawn++ % picks.length] % count;
  const values = (...shape: number[]): Tensor => {
    const count = shape.reduce((product, extent) => product * extent, 1);
    const made = parameter(
      tensor(
        Float32Array.from({ length: count }, (_, i) => Math.sin(1.7 * i + 0.9 * given.length + 0.3)),
        { shape },
      ),
    );
    given.push(made);
    return made;
  };
  const edges = edgesOf(graph);
  const types = graph.edgeTypeCount;
  const leaf = (): EdgeExpression =>
    [
      () => edges.sender(values(graph.nodeCount, d)),
      () => edges.receiver(values(graph.nodeCount, d)),
      () => edges.edge(values(graph.edgeCount, d)),
    ][next(3)]();
  const number = (depth: number): EdgeExpression =>
    [
      () => edges.edge(values(graph.edgeCount)),
      () => edges.sender(values(graph.nodeCount)),
      () => softmaxOut(number(0)),
      () => softmaxIn(edges.receiver(values(graph.nodeCount)).plus(edges.sender(values(graph.nodeCount)))),
      () => dotTyped({ w: values(types, 3 * d, 1), b: values(types, 1) }, wide(depth - 1), wide(depth - 1)),
    ][depth > 0 ? next(5) : next(2)]();
  const wide = (depth: number): EdgeExpression =>
    depth <= 0
      ? leaf()
      : [
          () => wide(depth - 1).map(tanh),
          () => wide(depth - 1).map(bent),
          () => wide(depth - 1).linear({ w: values(d, d), b: values(d) }),
          () => typed({ w: values(types, d, d), b: values(types, d) }, wide(depth - 1)),
          () => typed({ w: values(types, 2 * d, d) }, wide(depth - 1), leaf()),
          () => wide(depth - 1).plus(wide(depth - 1)),
          () => wide(depth - 1).plus(values(d)),
          () => wide(depth - 1).times(wide(depth - 1)),
          () => number(1).times(wide(depth - 1)),
          () =>
            number(1)
              .times(typed({ w: values(types, d, d), b: values(types, d) }, leaf()))
              .linear({ w: values(d, d), b: values(d) })
              .map(tanh),
        ][next(10)]();
  return wide(3);
}

describe('sumIn of a random expression', () => {
  it('is the sum over incoming edges of what the expression means, and so are its gradients', async () => {
    const property = fc.asyncProperty(edgeLists, choices, async (input, picks) => {
      const graph = createGraph(input);
      const given: Tensor[] = [];
      const x = build(graph, picks, given);
      const weights = tensor(
        Float32Array.from({ length: graph.nodeCount * d }, (_, i) => Math.cos(i)),
        { shape: [graph.nodeCount, d] },
      );
      const loss = (): Tensor => sum(mul(sumIn(x), weights));
      const plain = new PlainMeaning(graph, scalars);
      await plain.load(given);
      const expected = plain.sumIn(x);
      const actual = await sumIn(x).data();
      expected.forEach((value, i) => expect(actual[i]).toBeCloseTo(value, 9));
      // Gradients against central differences of the definition, one value of each tensor.
      const { grads } = valueAndGrad(loss, given);
      for (const each of given) {
        const gradient = (await grads.get(each)!.data())[0];
        if (each.size === 0) continue;
        const before = Array.from(await each.data());
        const at = (shift: number): number => {
          const moved = [before[0] + shift, ...before.slice(1)];
          plain.replace(each, moved);
          return plain.sumIn(x).reduce((total, value, i) => total + value * Math.cos(i), 0);
        };
        const slope = (at(1e-5) - at(-1e-5)) / 2e-5;
        plain.replace(each, before);
        expect(Math.abs(gradient - slope)).toBeLessThan(1e-6 * (1 + Math.abs(slope)));
      }
    });
    await fc.assert(property, { numRuns: 200 });
  });
});
