/** A table in training: rows that a step does not read take its update when they are next needed. */
import { adamRows, rowIndex, scope, Tensor, tensor, TensorError } from '@flowgrad/tensor';
import type { RowIndex, ScatteredRows } from '@flowgrad/tensor';
import type { Moments } from './adam.ts';

/** The whole gradient of a parameter, or the rows of it that are not 0. */
export type AnyGradient = Tensor | ScatteredRows;

export interface TableOptions {
  readonly name: string;
  readonly moments: Moments;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  /** λ of the gradient's λp. */
  readonly decay: number;
}

export interface Table {
  /** Raises unless the rows of `gradient` are as of the last step. */
  requireCaughtUp(gradient: AnyGradient): void;
  /** Takes the rows of `index`, or all, through the steps they missed. */
  catchUp(index?: RowIndex): void;
  /** The next step: the rows of `gradient` take it now. `kept` is the share of the parameter that AdamW's decay leaves. */
  update(gradient: AnyGradient, rates: { readonly learningRate: number; readonly kept: number }): void;
  /** As after `step` steps that all rows have taken. */
  restart(step: number): void;
}

export function createTable(table: Tensor, { name, moments, ...attrs }: TableOptions): Table {
  const [count] = table.shape;
  const { beta1, beta2 } = attrs;
  let last = 0;
  /** The step that each row is as of. */
  const asOf = new Int32Array(count);
  /** What `adamRows` takes, three numbers for each step since all rows were as of the same. */
  let rates: number[] = [];

  const all = (): RowIndex => rowIndex(Int32Array.from(asOf.keys()), count);
  const rowsOf = (gradient: AnyGradient): { readonly rows: Tensor; readonly index: RowIndex } =>
    gradient instanceof Tensor ? { rows: gradient, index: all() } : gradient;

  /** Takes rows to where all are after the last step. */
  const bringUp = (index: RowIndex, gradient?: Tensor): void => {
    const ids = index.toArray();
    const missed = ids.map((id) => last - asOf[id]);
    const most = missed.reduce((most, each) => Math.max(most, each), 0);
    if (most === 0) return;
    const rows = { index, missed: tensor(missed, { shape: [ids.length], dtype: 'int32' }), gradient };
    const steps = tensor(rates.slice(-3 * most), { shape: [most, 3] });
    adamRows(table, moments, rows, { ...attrs, rates: steps });
    for (const id of ids) asOf[id] = last;
    if (ids.length === count) rates = [];
  };

  return {
    requireCaughtUp: (gradient) => {
      const ids = gradient instanceof Tensor ? asOf.keys() : gradient.index.toArray();
      const behind = [...ids].find((id) => asOf[id] !== last);
      if (behind === undefined) return;
      throw new TensorError(
        'adam.apply',
        'gradient',
        `expected the rows of '${name}' that were read to be as of step ${last}, got row ${behind} as of step ` +
          `${asOf[behind]} (adam.catchUp(table, index) before the rows of index are read)`,
      );
    },
    catchUp: (index) => {
      scope(() => {
        bringUp(index ?? all());
      }, 'adam.catchUp');
    },
    update: (gradient, { learningRate, kept }) => {
      last += 1;
      rates.push(learningRate / (1 - beta1 ** last), 1 / (1 - beta2 ** last), kept);
      const { rows, index } = rowsOf(gradient);
      bringUp(index, rows);
    },
    restart: (step) => {
      last = step;
      asOf.fill(step);
      rates = [];
    },
  };
}
