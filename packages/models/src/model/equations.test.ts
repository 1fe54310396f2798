import { useReference } from '@flowgrad/tensor/testing/vitest';
import { createDensePlanner } from '@flowgrad/graph';
import { describe, expect, it } from 'vitest';
import { plainForward, readParameters } from '../testing/plain-equations.ts';
import { relativeError } from '../testing/relative-error.ts';
import { modelFor, sizes, smallWorld as graph } from '../testing/small-world.ts';
import { paperModelNames } from './catalogue.ts';
import { models } from './registry.ts';

useReference({ precision: 'float64' });

const steps = 4;
const sources = [0, 3, 5, 7];

describe.each(paperModelNames)('%s, against its equations in scalar loops', (name) => {
  const reductions = models[name].options.includes('globalReduction')
    ? (['sum', 'mean'] as const)
    : (['sum'] as const);

  it.each(reductions)('has the same scores, attention and flows (%s)', async (globalReduction) => {
    const choice = models[name].options.includes('globalReduction') ? { globalReduction } : {};
    const model = modelFor(name, graph, choice);
    const planner = createDensePlanner(graph, { steps, kind: model.kind });
    const { scores, attention, flows } = model.forward(planner.plan({ sources }), {
      flows: model.kind.flow,
    });
    const data = await readParameters(model);
    const plain = sources.map((source) =>
      plainForward({ model: name, graph, parameters: data, steps, ...sizes, globalReduction }, source),
    );
    const close = async (actual: { data(): Promise<ArrayLike<number>> }, expected: number[]) => {
      expect(relativeError(await actual.data(), expected)).toBeLessThan(1e-12);
    };
    await close(
      scores,
      plain.flatMap((example) => example.scores),
    );
    for (const [t, a] of (attention ?? []).entries()) {
      await close(
        a,
        plain.flatMap((example) => example.attention[t]),
      );
    }
    for (const [t, flow] of (flows ?? []).entries()) {
      await close(
        flow,
        plain.flatMap((example) => example.flows[t]),
      );
    }
    expect(attention?.length ?? 0).toBe(plain[0].attention.length);
    planner.dispose();
  });
});
