import {
  add,
  assign,
  memory,
  mul,
  parameter,
  referenceBackend,
  scope,
  setBackend,
  square,
  sum,
  tensor,
  valueAndGrad,
  zeros,
} from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { describe, expect, it } from 'vitest';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { state } from '../module/state.ts';
import { createAdam, createAdamW } from './adam.ts';
import type { AdamOptions } from './adam-options.ts';
import { schedules } from './schedules.ts';

useReference({ precision: 'float64' });

const vector = (...values: number[]): Tensor => tensor(Float64Array.from(values));

/** Two parameters with the loss Σ c·x² / 2, whose gradient is c·x. */
const start = { a: [1, -2, 0.5], b: [3] };
const curvature = { a: [2, 0.3, -1], b: [0.7] };
type Values = Record<'a' | 'b', number[]>;

interface Settings {
  readonly learningRate: (step: number) => number;
  readonly beta1?: number;
  readonly beta2?: number;
  readonly epsilon?: number;
  readonly decay?: Partial<Record<'a' | 'b', number>>;
  /** Decay as AdamW has it. */
  readonly decoupled?: Partial<Record<'a' | 'b', number>>;
  readonly clip?: number;
}

/** Adam on plain numbers, written from the paper's algorithm 1, sharing nothing with the code on trial. */
function scalarAdam(steps: number, { learningRate, decay = {}, clip = Infinity, ...rest }: Settings): Values {
  const { beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, decoupled = {} } = rest;
  const slots = (['a', 'b'] as const).flatMap((name) =>
    start[name].map((x, i) => ({ name, x, c: curvature[name][i], m: 0, v: 0 })),
  );
  for (let t = 1; t <= steps; t++) {
    const raw = slots.map(({ name, x, c }) => c * x + (decay[name] ?? 0) * x);
    const norm = Math.hypot(...raw);
    const scale = norm > clip ? clip / norm : 1;
    for (const [i, slot] of slots.entries()) {
      const g = raw[i] * scale;
      slot.m = beta1 * slot.m + (1 - beta1) * g;
      slot.v = beta2 * slot.v + (1 - beta2) * g ** 2;
      const mHat = slot.m / (1 - beta1 ** t);
      const vHat = slot.v / (1 - beta2 ** t);
      const pull = (decoupled[slot.name] ?? 0) * slot.x;
      slot.x -= learningRate(t) * (mHat / (Math.sqrt(vHat) + epsilon) + pull);
    }
  }
  const of = (name: string): number[] => slots.filter((slot) => slot.name === name).map(({ x }) => x);
  return { a: of('a'), b: of('b') };
}

function problem(): { named: Map<string, Tensor>; gradients: () => ReadonlyMap<Tensor, Tensor> } {
  const [a, b] = [parameter(vector(...start.a)), parameter(vector(...start.b))];
  const [ca, cb] = [vector(...curvature.a), vector(...curvature.b)];
  const half = (c: Tensor, x: Tensor): Tensor => sum(mul(0.5, mul(c, square(x))));
  const gradients = (): ReadonlyMap<Tensor, Tensor> =>
    valueAndGrad(() => add(half(ca, a), half(cb, b))).grads;
  return { named: new Map(Object.entries({ a, b })), gradients };
}

async function runAdam(steps: number, options: AdamOptions, create = createAdam): Promise<Values> {
  const { named, gradients } = problem();
  const adam = create(named, options);
  for (let t = 1; t <= steps; t++) {
    scope(() => {
      adam.apply(gradients(), { epoch: t - 1 });
    });
  }
  const values = async (name: string): Promise<number[]> => Array.from(await named.get(name)!.data());
  return { a: await values('a'), b: await values('b') };
}

function expectClose(actual: Values, expected: Values): void {
  for (const name of ['a', 'b'] as const) {
    for (const [i, value] of expected[name].entries()) {
      expect(Math.abs(actual[name][i] - value), `${name}[${i}]`).toBeLessThan(1e-12 * Math.abs(value));
    }
  }
}

describe('Adam', () => {
  const steps = 7;
  const rates = [0.5, 0.1, 0.02];
  const staircase = (t: number): number => rates[Math.min(Math.floor((t - 1) / 3), 2)];
  const onA = (rate: number): AdamOptions['weightDecay'] => ({ rate, on: (name) => name === 'a' });

  const cases: [string, AdamOptions, Settings][] = [
    ['plain', { learningRate: 0.1 }, { learningRate: () => 0.1 }],
    [
      'its own βs and ε',
      { learningRate: 0.1, beta1: 0.5, beta2: 0.9, epsilon: 0.01 },
      { learningRate: () => 0.1, beta1: 0.5, beta2: 0.9, epsilon: 0.01 },
    ],
    [
      'a rate by epoch',
      { learningRate: schedules.piecewise({ rates, epochsEach: 3 }) },
      { learningRate: staircase },
    ],
    ['a rate by step', { learningRate: ({ step }) => 0.3 / step }, { learningRate: (t) => 0.3 / t }],
    [
      'weight decay on one parameter',
      { learningRate: 0.1, weightDecay: onA(0.4)! },
      { learningRate: () => 0.1, decay: { a: 0.4 } },
    ],
    ['clipping that bites', { learningRate: 0.1, clipNorm: 0.6 }, { learningRate: () => 0.1, clip: 0.6 }],
    ['clipping that does not', { learningRate: 0.1, clipNorm: 60 }, { learningRate: () => 0.1 }],
    [
      'decay, then clipping of both together',
      { learningRate: 0.1, weightDecay: onA(0.4)!, clipNorm: 2 },
      { learningRate: () => 0.1, decay: { a: 0.4 }, clip: 2 },
    ],
  ];

  it.for(cases)('agrees with the same on plain numbers: %s', async ([, options, settings]) => {
    expectClose(await runAdam(steps, options), scalarAdam(steps, settings));
  });

  it('tells those cases apart', () => {
    const ends = cases.map(([, , settings]) => scalarAdam(steps, settings).a[1].toFixed(10));
    // 'clipping that does not' bite is meant to end like 'plain'.
    expect(new Set(ends).size).toBe(cases.length - 1);
  });

  it('decays as the loss term rate·½‖p‖² would', async () => {
    const [p, q] = [parameter(vector(2, -1)), parameter(vector(2, -1))];
    const weightDecay = { rate: 1e-5, on: () => true };
    const decaying = createAdam(new Map([['p', p]]), { learningRate: 0.1, weightDecay });
    const plain = createAdam(new Map([['q', q]]), { learningRate: 0.1 });
    const quartic = (x: Tensor): Tensor => sum(square(square(x)));
    for (let t = 0; t < 5; t++) {
      decaying.apply(valueAndGrad(() => quartic(p)).grads);
      plain.apply(valueAndGrad(() => add(quartic(q), mul(0.5e-5, sum(square(q))))).grads);
    }
    const [left, right] = [await p.data(), await q.data()];
    for (let i = 0; i < 2; i++) expect(left[i]).toBeCloseTo(right[i], 13);
  });

  it('counts its steps, and takes moments and step over from another', async () => {
    const { named, gradients } = problem();
    const first = createAdam(named, { learningRate: 0.1 });
    expect(first.step).toBe(0);
    for (let t = 0; t < 3; t++) first.apply(gradients());
    expect(first.step).toBe(3);

    const second = createAdam(named, { learningRate: 0.1 });
    for (const [name, moments] of second.moments) {
      assign(moments.first, first.moments.get(name)!.first);
      assign(moments.second, first.moments.get(name)!.second);
    }
    second.step = first.step;
    for (let t = 0; t < 4; t++) second.apply(gradients());
    expect(second.step).toBe(7);
    const end = { a: [...(await named.get('a')!.data())], b: [...(await named.get('b')!.data())] };
    expectClose(end, scalarAdam(7, { learningRate: () => 0.1 }));
  });

  it('passes over gradients of tensors it does not train', async () => {
    const { named, gradients } = problem();
    const onlyA = createAdam(new Map([['a', named.get('a')!]]), { learningRate: 0.1 });
    onlyA.apply(gradients());
    expect(await named.get('b')!.toArray()).toEqual(start.b);
  });

  it('reads nothing back in a step', () => {
    const backend = referenceBackend();
    const refuse = (): never => {
      throw new Error('read back');
    };
    Object.assign(backend, { read: refuse, readNow: refuse });
    const previous = setBackend(backend);
    try {
      const { named, gradients } = problem();
      const weightDecay = { rate: 0.1, on: () => true };
      const adam = createAdam(named, { learningRate: 0.1, weightDecay, clipNorm: 0.1 });
      adam.apply(gradients());
      expect(adam.step).toBe(1);
    } finally {
      setBackend(previous);
    }
  });

  it('leaves nothing behind in a step, and nothing at all when disposed', () => {
    const { named, gradients } = problem();
    const grads = gradients();
    const before = memory();
    const weightDecay = { rate: 0.1, on: () => true };
    const adam = createAdam(named, { learningRate: 0.1, weightDecay, clipNorm: 0.1 });
    const made = memory();
    expect(made.buffers).toBe(before.buffers + 4);
    adam.apply(grads);
    expect(memory()).toEqual(made);
    adam.dispose();
    expect(memory()).toEqual(before);
    expect(named.get('a')!.disposed).toBe(false);
  });

  it('is kept, with its moments, by a scope that returns it', () => {
    const { named, gradients } = problem();
    const adam = scope(() => createAdam(named, { learningRate: 0.1 }));
    adam.apply(gradients());
    expect(adam.moments.get('a')!.first.disposed).toBe(false);
  });

  it('records nothing on a tape that is open', () => {
    const { named, gradients } = problem();
    const grads = gradients();
    const adam = createAdam(named, { learningRate: 0.1, clipNorm: 1 });
    const outer = valueAndGrad(() => {
      adam.apply(grads);
      return sum(zeros([1]));
    });
    expect(outer.grads.size).toBe(0);
  });
});

describe('AdamW', () => {
  const onB = { rate: 0.4, on: (name: string) => name === 'b' };
  const cases: [string, AdamOptions, Settings][] = [
    ['of 0.01 on all', { learningRate: 0.1 }, { learningRate: () => 0.1, decoupled: { a: 0.01, b: 0.01 } }],
    [
      'on one parameter, by a rate that changes',
      { learningRate: ({ step }) => 0.3 / step, weightDecay: onB },
      { learningRate: (t) => 0.3 / t, decoupled: { b: 0.4 } },
    ],
    [
      'outside of clipping',
      { learningRate: 0.1, weightDecay: onB, clipNorm: 0.6 },
      { learningRate: () => 0.1, decoupled: { b: 0.4 }, clip: 0.6 },
    ],
  ];

  it.for(cases)('agrees with the same on plain numbers: decay %s', async ([, options, settings]) => {
    expectClose(await runAdam(7, options, createAdamW), scalarAdam(7, settings));
  });

  it('is not Adam with decay, and is Adam without', async () => {
    const [adam, adamW] = [createAdam, createAdamW].map((create) =>
      runAdam(7, { learningRate: 0.1, weightDecay: onB }, create),
    );
    expect((await adam).b[0]).not.toBeCloseTo((await adamW).b[0], 3);
    const none = { rate: 0, on: () => true };
    expect(await runAdam(7, { learningRate: 0.1, weightDecay: none }, createAdamW)).toEqual(
      await runAdam(7, { learningRate: 0.1 }),
    );
  });

  it('leaves nothing behind in a step, and says its own name', () => {
    const { named, gradients } = problem();
    const adam = createAdamW(named, { learningRate: 0.1 });
    const grads = gradients();
    const before = memory();
    adam.apply(grads);
    expect(memory()).toEqual(before);
    expect(() => createAdamW(new Map(), { learningRate: 1 })).toThrow(
      'createAdamW: expected at least one parameter, got none',
    );
    expect(() => createAdamW(named, { learningRate: -1 })).toThrow('createAdamW: learningRate must be');
  });
});

describe('createAdam', () => {
  const make = (options: object): unknown => createAdam(problem().named, options as AdamOptions);

  it.for<[object, string]>([
    [{}, 'learningRate must be a finite number ≥ 0, got undefined'],
    [{ learningRate: -1 }, 'learningRate must be a finite number ≥ 0, got -1'],
    [{ learningRate: 1, beta1: 1 }, 'beta1 must be in 0 ≤ β < 1, got 1'],
    [{ learningRate: 1, beta2: NaN }, 'beta2 must be in 0 ≤ β < 1, got NaN'],
    [{ learningRate: 1, epsilon: 0 }, 'epsilon must be a finite number > 0, got 0'],
    [{ learningRate: 1, clipNorm: 0 }, 'clipNorm must be a finite number > 0, got 0'],
    [
      { learningRate: 1, clip: 1 },
      "expected options among learningRate, beta1, beta2, epsilon, weightDecay, clipNorm, byRow, got 'clip'",
    ],
    [
      { learningRate: 1, weightDecay: { rate: NaN, on: () => true } },
      'weightDecay.rate must be a finite number ≥ 0, got NaN',
    ],
    [
      { learningRate: 1, weightDecay: { rate: 1, on: (name: string) => name === 'u' } },
      'expected weightDecay.on to choose a parameter, got none among {a, b}',
    ],
  ])('refuses %o', ([options, message]) => {
    expect(() => make(options)).toThrow(`createAdam: ${message}`);
  });

  it('refuses options of weightDecay that it does not know', () => {
    const weightDecay = { rate: 1, on: () => true, only: 'u' };
    expect(() => make({ learningRate: 1, weightDecay })).toThrow(
      "createAdam.weightDecay: expected options among rate, on, got 'only'",
    );
  });

  it('wants parameters, each once', () => {
    const p = parameter(vector(1));
    const adam = (named: Record<string, Tensor>): unknown =>
      createAdam(new Map(Object.entries(named)), { learningRate: 1 });
    expect(() => adam({})).toThrow('createAdam: expected at least one parameter, got none');
    expect(() => adam({ x: vector(1) })).toThrow(
      "createAdam: expected 'x' to be a parameter of its own, got a constant tensor",
    );
    expect(() => adam({ mean: state(vector(1)) })).toThrow(
      "createAdam: expected 'mean' to be a parameter of its own, got state",
    );
    expect(() => adam({ p, q: p })).toThrow(
      "createAdam: expected 'q' to be a parameter of its own, got the one that is also called 'p'",
    );
  });
});

describe('adam.apply', () => {
  it('names every parameter without a gradient, and changes nothing', async () => {
    const { named } = problem();
    const adam = createAdam(named, { learningRate: 0.1 });
    expect(() => adam.apply(new Map())).toThrow(
      "adam.apply: expected a gradient for every parameter, got none for 'a', 'b' (valueAndGrad(fn, " +
        '[...parameters]) gives zeros to those that fn does not use)',
    );
    const wrong = new Map([
      [named.get('a')!, vector(1, 1, 1)],
      [named.get('b')!, vector(1, 1)],
    ]);
    expect(() => adam.apply(wrong)).toThrow("adam.apply: the gradient of 'b' must have shape [1], got [2]");
    expect(adam.step).toBe(0);
    expect(await named.get('a')!.toArray()).toEqual(start.a);
  });

  it.for<[object, string]>([
    [{ epoch: -1 }, 'epoch must be a whole number ≥ 0, got -1'],
    [{ epoch: 0.5 }, 'epoch must be a whole number ≥ 0, got 0.5'],
    [{ epochs: 1 }, "expected options among epoch, got 'epochs'"],
  ])('refuses %o', ([at, message]) => {
    const { named, gradients } = problem();
    const adam = createAdam(named, { learningRate: 0.1 });
    expect(() => adam.apply(gradients(), at)).toThrow(`adam.apply: ${message}`);
  });

  it('refuses what a schedule gives that is no rate', () => {
    const { named, gradients } = problem();
    const adam = createAdam(named, { learningRate: () => NaN });
    expect(() => adam.apply(gradients())).toThrow(
      'adam.apply: the learning rate must be a finite number ≥ 0, got NaN',
    );
  });

  it('refuses a step that is not whole', () => {
    const adam = createAdam(problem().named, { learningRate: 1 });
    expect(() => (adam.step = -1)).toThrow('adam: step must be a whole number ≥ 0, got -1');
  });
});
