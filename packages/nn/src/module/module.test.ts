import { memory, parameter, rowIndex, scope, tensor, zeros } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { describe, expect, it } from 'vitest';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { disposeModule, parameters, states } from './module.ts';
import { state } from './state.ts';

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

  it('says so when layers lie deeper in an instance, or in a set', () => {
    class Block {
      readonly layers = [{ linear: { w: p() } }];
      readonly name = 'block';
    }
    class Network {
      readonly blocks = new Map([['first', new Block()]]);
    }
    const got = 'expected modules that are plain objects, arrays or maps, got parameter';
    expect(() => parameters(new Block())).toThrow(`${got} 'layers.0.linear.w' in an instance of Block`);
    expect(() => parameters({ net: new Network() })).toThrow(
      `${got} 'net.blocks.first.layers.0.linear.w' in an instance of Network`,
    );
    expect(() => parameters([new Set([1, { w: p() }])])).toThrow(`${got} '0.1.w' in an instance of Set`);
    expect(() => states({ net: new Network() })).toThrow(got);
    expect(() => {
      disposeModule(new Network());
    }).toThrow(got);
  });

  it('lets an instance refer to parameters that the module shows elsewhere, and to itself', () => {
    class View {
      readonly self = this;
      readonly layer: object;
      constructor(layer: object) {
        this.layer = layer;
      }
    }
    const layer = { w: p() };
    expect([...parameters({ view: new View(layer), layer }).keys()]).toEqual(['layer.w']);
  });

  it('finds what a scope keeps: a module that a scope returns is alive', () => {
    const model = scope(() => ({ layers: [{ w: p() }], table: new Map([['w', p()]]) }));
    for (const tensor of parameters(model).values()) expect(tensor.disposed).toBe(false);
    expect(parameters(model).size).toBe(2);
  });
});

describe('state', () => {
  it('has a name in the module, and is no parameter', () => {
    const module = { norm: { gain: p(), mean: state(zeros([2])) }, w: p() };
    expect([...parameters(module).keys()]).toEqual(['norm.gain', 'w']);
    expect([...states(module).keys()]).toEqual(['norm.mean']);
    expect(states(module).get('norm.mean')).toBe(module.norm.mean);
  });

  it('may not have the name of a parameter', () => {
    expect(() => states({ 'a.b': state(zeros([1])), a: { b: p() } })).toThrow("got 'a.b' for two parameters");
  });

  it('is kept by a scope that returns its module, and freed with it', () => {
    const before = memory();
    const module = scope(() => ({ mean: state(zeros([2])) }));
    expect(module.mean.disposed).toBe(false);
    disposeModule(module);
    expect(memory()).toEqual(before);
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
