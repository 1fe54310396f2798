import { memory, parameter, rowIndex, scope, tensor, zeros } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { describe, expect, it } from 'vitest';
import { useReference } from '@flowgrad/tensor/testing';
import { disposeModule, parameters } from './module.ts';

useReference();

const p = (): Tensor => scope(() => parameter(zeros([2])));

describe('parameters', () => {
  it('names each parameter by the path to it, in the order of writing', () => {
    const model = {
      u: p(),
      gru: { gate: { w: p(), b: p() }, cand: { w: p(), b: p() } },
      heads: [{ w: p() }, { w: p() }],
      byName: new Map([['far', { w: p() }]]),
    };
    expect([...parameters(model).keys()]).toEqual([
      'u',
      'gru.gate.w',
      'gru.gate.b',
      'gru.cand.w',
      'gru.cand.b',
      'heads.0.w',
      'heads.1.w',
      'byName.far.w',
    ]);
    expect(parameters(model).get('gru.cand.b')).toBe(model.gru.cand.b);
  });

  it('passes over constants, indices, functions, numbers, text, typed arrays and nothing', () => {
    const model = {
      features: tensor([1, 2]),
      index: rowIndex([0], 1),
      apply: () => 1,
      size: 3,
      name: 'ggnn',
      ids: new Int32Array(2),
      absent: undefined,
      none: null,
    };
    expect(parameters(model).size).toBe(0);
  });

  it('counts a parameter that is met twice once, under its first name', () => {
    const shared = p();
    const layer = { w: p() };
    const found = parameters({ a: { w: shared }, tied: shared, first: layer, again: layer });
    expect([...found.keys()]).toEqual(['a.w', 'first.w']);
  });

  it('ends on a module that contains itself', () => {
    const module: { w: Tensor; self?: object } = { w: p() };
    module.self = module;
    expect([...parameters(module).keys()]).toEqual(['w']);
  });

  it('refuses two parameters of one name', () => {
    expect(() => parameters({ 'a.b': p(), a: { b: p() } })).toThrow(
      "parameters: expected distinct names, got 'a.b' for two parameters",
    );
  });

  it('says so when a class instance hides a parameter', () => {
    class Layer {
      w = p();
    }
    expect(() => parameters({ encoder: new Layer() })).toThrow(
      "parameters: expected modules that are plain objects, arrays or maps, got parameter 'encoder.w' in an " +
        'instance of Layer (neither parameters nor scope look into instances)',
    );
  });

  it('finds what a scope keeps: a module that a scope returns is alive', () => {
    const model = scope(() => ({ layers: [{ w: p() }], table: new Map([['w', p()]]) }));
    for (const tensor of parameters(model).values()) expect(tensor.disposed).toBe(false);
    expect(parameters(model).size).toBe(2);
  });
});

describe('disposeModule', () => {
  it('frees the parameters, shared ones too, and leaves constants', () => {
    const before = memory();
    const shared = p();
    const features = tensor([1]);
    const model = { a: shared, b: shared, inner: { w: p() }, features };
    disposeModule(model);
    expect(features.disposed).toBe(false);
    features.dispose();
    expect(memory().bytes).toBe(before.bytes);
    expect(String(shared)).toContain('freed by disposeModule()');
  });

  it('may be called twice', () => {
    const model = { w: p() };
    disposeModule(model);
    disposeModule(model);
  });
});
