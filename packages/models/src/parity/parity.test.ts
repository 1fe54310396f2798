import { readFileSync } from 'node:fs';
import { createDensePlanner } from '@flowgrad/graph';
import { parameters } from '@flowgrad/nn';
import { valueAndGrad } from '@flowgrad/tensor';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { describe, expect, it } from 'vitest';
import { graphOf, modelOf, parityModels } from '../testing/parity-file.ts';
import type { ParityFile } from '../testing/parity-file.ts';
import { relativeError } from '../testing/relative-error.ts';

useReference({ precision: 'float64' });

describe.each(parityModels)('%s, against numbers computed elsewhere', (name) => {
  const file = JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8')) as ParityFile;
  const { sources, destinations } = file;
  const setUp = () => {
    const model = modelOf(file);
    const planner = createDensePlanner(graphOf(file), { steps: file.steps, kind: model.kind });
    return { model, planner, plan: planner.plan({ sources, destinations }) };
  };

  it('gives the same scores and attention', async () => {
    const { model, plan, planner } = setUp();
    const { scores, attention } = model.forward(plan);
    expect(relativeError(await scores.data(), file.scores.flat())).toBeLessThan(1e-9);
    expect(attention?.length).toBe(file.attention?.length);
    for (const [t, expected] of (file.attention ?? []).entries()) {
      expect(relativeError(await attention![t].data(), expected.flat()), `t = ${t}`).toBeLessThan(1e-9);
    }
    planner.dispose();
  });

  it('gives the same loss and gradient of every parameter', async () => {
    const { model, plan, planner } = setUp();
    const { value, grads } = valueAndGrad(() => model.loss(plan));
    expect(relativeError(await value.data(), [file.loss])).toBeLessThan(1e-9);
    const named = parameters(model);
    expect([...named.keys()].sort()).toEqual(Object.keys(file.gradients).sort());
    for (const [parameter, expected] of Object.entries(file.gradients)) {
      const actual = await grads.get(named.get(parameter)!)!.data();
      expect(relativeError(actual, expected), parameter).toBeLessThan(1e-9);
    }
    planner.dispose();
  });
});
