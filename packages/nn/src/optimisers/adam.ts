import {
  adamUpdate,
  add,
  assign,
  mul,
  noGrad,
  parameter,
  rejectUnknownOptions,
  scope,
  Tensor,
  TensorError,
  zerosLike,
} from '@flowgrad/tensor';
import type { RowIndex } from '@flowgrad/tensor';
import { isState } from '../module/state.ts';
import { expectWhole } from '../options.ts';
import { sameShape, showShape } from '../shape.ts';
import { readAdamOptions } from './adam-options.ts';
import type { AdamOptions } from './adam-options.ts';
import { clipByGlobalNorm } from './clip-by-global-norm.ts';
import { expectRate } from './rate.ts';
import { createTable } from './table.ts';
import type { AnyGradient, Table } from './table.ts';

/** Running means of a parameter's gradient and of its square. */
export interface Moments {
  readonly first: Tensor;
  readonly second: Tensor;
}

/** An optimiser with its state: the count of its steps, and two moments for every parameter. */
export interface Adam {
  /** How many updates were made. Set it, with the moments, to go on from where another run stopped. */
  step: number;
  /** By parameter name. */
  readonly moments: ReadonlyMap<string, Moments>;
  /**
   * Updates every parameter in place, given its gradient; of a table in `byRow` that of the rows that were read, or of
   * all. Gradients of other tensors are passed over. `epoch` is for schedules that ask for it.
   */
  apply(this: void, gradients: ReadonlyMap<Tensor, AnyGradient>, at?: { readonly epoch?: number }): void;
  /**
   * Brings rows of a table in `byRow` to where updating all of it at every step would have: those of `index` before
   * they are read; all, of all tables, before they are used in any other way, saved for example.
   */
  catchUp(this: void, table?: Tensor, index?: RowIndex): void;
  /** Frees the moments; the parameters stay. */
  dispose(this: void): void;
}

/**
 * Adam (Kingma and Ba, 2015), with bias-corrected moments. For each parameter p with gradient g:
 *
 *   g ← g + λ·p                       if `weightDecay` chooses p: the gradient of a loss term λ·½‖p‖²
 *   g ← g · c / max(‖g‖, c)           if `clipNorm` c is given; ‖g‖ over all parameters, decay included
 *   m ← β₁m + (1−β₁)g,   v ← β₂v + (1−β₂)g²,   p ← p − η·(m / (1−β₁ᵗ)) / (√(v / (1−β₂ᵗ)) + ε)
 *
 * Everything is enqueued on the parameters' backend; nothing is read back.
 */
export function createAdam(parametersByName: ReadonlyMap<string, Tensor>, options: AdamOptions): Adam {
  return startAdam('createAdam', parametersByName, options, 'gradient');
}

/**
 * AdamW (Loshchilov and Hutter, 2019): Adam whose weight decay bypasses the moments, so that all chosen parameters decay
 * alike, whatever their gradients. By default all do, at rate λ = 0.01:
 *
 *   p ← p − η·λ·p,   and then Adam's update without decay in g; `clipNorm` bounds the gradients alone
 */
export function createAdamW(parametersByName: ReadonlyMap<string, Tensor>, options: AdamOptions): Adam {
  const { weightDecay = { rate: 0.01, on: () => true } } = options;
  return startAdam('createAdamW', parametersByName, { ...options, weightDecay }, 'parameter');
}

/** `decayOf` says what weight decay goes into. */
function startAdam(
  where: string,
  parametersByName: ReadonlyMap<string, Tensor>,
  options: AdamOptions,
  decayOf: 'gradient' | 'parameter',
): Adam {
  const named = [...parametersByName];
  checkParameters(where, named);
  const { schedule, decays, decayRate, clipNorm, byRow, ...rates } = readAdamOptions(where, options, [
    ...parametersByName.keys(),
  ]);
  const decayIn = (what: typeof decayOf, name: string): number =>
    what === decayOf && decays.has(name) ? decayRate : 0;
  const moments = scope(
    () => new Map(named.map(([name, p]) => [name, { first: startMoment(p), second: startMoment(p) }])),
    where,
  );
  const tables = new Map(
    named
      .filter(([name]) => byRow.has(name))
      .map(([name, p]) => {
        const about = { name, moments: moments.get(name)!, ...rates, decay: decayIn('gradient', name) };
        return [p, createTable(p, about)];
      }),
  );
  let step = 0;

  const apply: Adam['apply'] = (gradients, at = {}) => {
    rejectUnknownOptions('adam.apply', at, ['epoch']);
    if (at.epoch !== undefined) expectWhole('adam.apply', 'epoch', at.epoch);
    const whole = readGradients(named, gradients, tables);
    const next = { step: step + 1, epoch: at.epoch };
    const learningRate = schedule(next);
    expectRate('adam.apply', 'the learning rate', learningRate);
    const keptOf = (name: string): number => 1 - learningRate * decayIn('parameter', name);
    const update = (): void => {
      const raw = whole.map(({ name, p, gradient }) => {
        const decay = decayIn('gradient', name);
        return decay === 0 ? gradient : add(gradient, mul(p, decay));
      });
      const clipped = clipNorm === undefined ? raw : clipByGlobalNorm(raw, clipNorm);
      for (const [i, { name, p }] of whole.entries()) {
        if (decayIn('parameter', name) !== 0) assign(p, mul(p, keptOf(name)));
        adamUpdate(p, clipped[i], moments.get(name)!, { ...rates, learningRate, step: next.step });
      }
      for (const [name, p] of named) {
        tables.get(p)?.update(gradients.get(p)!, { learningRate, kept: keptOf(name) });
      }
    };
    scope(() => {
      noGrad(update);
    }, 'adam.apply');
    step = next.step;
  };

  const catchUp: Adam['catchUp'] = (table, index) => {
    if (!table) {
      for (const each of tables.values()) each.catchUp();
      return;
    }
    const found = tables.get(table);
    if (!found) {
      throw new TensorError(
        'adam.catchUp',
        'option',
        `expected a table among {${[...byRow].join(', ')}}, got ${parameterNamed(named, table)} ` +
          '(the byRow option chooses them)',
      );
    }
    found.catchUp(index);
  };

  return {
    get step() {
      return step;
    },
    set step(value: number) {
      expectWhole('adam', 'step', value);
      step = value;
      for (const table of tables.values()) table.restart(value);
    },
    catchUp,
    moments,
    apply,
    dispose: () => {
      for (const { first, second } of moments.values()) {
        first.dispose('adam.dispose()');
        second.dispose('adam.dispose()');
      }
    },
  };
}

function startMoment(p: Tensor): Tensor {
  return scope(() => parameter(zerosLike(p)), 'adam');
}

function checkParameters(where: string, named: readonly (readonly [string, Tensor])[]): void {
  if (named.length === 0) {
    throw new TensorError(where, 'option', 'expected at least one parameter, got none');
  }
  const names = new Map<Tensor, string>();
  for (const [name, tensor] of named) {
    const other = names.get(tensor);
    if (!tensor.isParameter || isState(tensor) || other !== undefined) {
      const kind = tensor.isParameter ? 'state' : 'a constant tensor';
      const got = other === undefined ? kind : `the one that is also called '${other}'`;
      throw new TensorError(where, 'option', `expected '${name}' to be a parameter of its own, got ${got}`);
    }
    names.set(tensor, name);
  }
}

/** The parameters that are updated as a whole. All is checked before anything is overwritten. */
function readGradients(
  named: readonly (readonly [string, Tensor])[],
  gradients: ReadonlyMap<Tensor, AnyGradient>,
  tables: ReadonlyMap<Tensor, Table>,
): { readonly name: string; readonly p: Tensor; readonly gradient: Tensor }[] {
  const missing = named.filter(([, p]) => !gradients.has(p)).map(([name]) => `'${name}'`);
  if (missing.length > 0) {
    throw new TensorError(
      'adam.apply',
      'gradient',
      `expected a gradient for every parameter, got none for ${missing.join(', ')} ` +
        '(valueAndGrad(fn, [...parameters]) gives zeros to those that fn does not use)',
    );
  }
  return named.flatMap(([name, p]) => {
    const gradient = gradients.get(p)!;
    checkShape(name, p, gradient);
    const table = tables.get(p);
    if (table) {
      table.requireCaughtUp(gradient);
      return [];
    }
    if (gradient instanceof Tensor) return [{ name, p, gradient }];
    throw new TensorError(
      'adam.apply',
      'gradient',
      `expected the whole gradient of '${name}', got rows of it (createAdam(…, { byRow }) chooses '${name}')`,
    );
  });
}

function checkShape(name: string, { shape }: Tensor, gradient: AnyGradient): void {
  const got = gradient instanceof Tensor ? gradient.shape : gradient.rows.shape.with(0, gradient.index.rows);
  if (sameShape(got, shape)) return;
  throw new TensorError(
    'adam.apply',
    'shape',
    `the gradient of '${name}' must have shape ${showShape(shape)}, got ${showShape(got)}`,
  );
}

function parameterNamed(named: readonly (readonly [string, Tensor])[], tensor: Tensor): string {
  const found = named.find(([, p]) => p === tensor);
  return found ? `'${found[0]}'` : `a tensor ${showShape(tensor.shape)}`;
}
