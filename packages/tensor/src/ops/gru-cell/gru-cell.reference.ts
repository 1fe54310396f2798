import type { NdArray } from '../../core/dtype.ts';

const logistic = (x: number): number => 1 / (1 + Math.exp(-x));

/** Row `row` of [parts]·W, column j. */
function product(parts: readonly NdArray[], weight: NdArray, row: number, j: number): number {
  const m = weight.shape[1];
  let [total, l] = [0, 0];
  for (const { data, shape } of parts) {
    for (let c = 0; c < shape[1]; c++, l++) total += data[row * shape[1] + c] * weight.data[l * m + j];
  }
  return total;
}

/** Adds dy·Wᵀ to [parts], row by row. */
function addBack(dy: NdArray, weight: NdArray, parts: readonly NdArray[]): void {
  const [n, m] = dy.shape;
  for (let row = 0; row < n; row++) {
    let l = 0;
    for (const { data, shape } of parts) {
      for (let c = 0; c < shape[1]; c++, l++) {
        let total = 0;
        for (let j = 0; j < m; j++) total += dy.data[row * m + j] * weight.data[l * m + j];
        data[row * shape[1] + c] += total;
      }
    }
  }
}

type Arrays<Names extends string> = Readonly<Record<Names, NdArray>>;

export function gruCellLoops(
  {
    gateWeight,
    gateBias,
    candidateWeight,
    candidateBias,
    biasRows,
    h,
    xs,
  }: Arrays<'gateWeight' | 'gateBias' | 'candidateWeight' | 'candidateBias' | 'h'> & {
    readonly biasRows?: { readonly ids: NdArray } | undefined;
    readonly xs: readonly NdArray[];
  },
  { next, gates, reset, candidate }: Arrays<'next' | 'gates' | 'reset' | 'candidate'>,
): void {
  const [n, d] = h.shape;
  for (let row = 0; row < n; row++) {
    const bias = biasRows ? biasRows.ids.data[row] : 0;
    for (let j = 0; j < 2 * d; j++) {
      const sum = product([...xs, h], gateWeight, row, j) + gateBias.data[bias * 2 * d + j];
      gates.data[row * 2 * d + j] = logistic(sum);
    }
    for (let j = 0; j < d; j++) reset.data[row * d + j] = gates.data[row * 2 * d + j] * h.data[row * d + j];
    for (let j = 0; j < d; j++) {
      const at = row * d + j;
      const z = gates.data[row * 2 * d + d + j];
      const c = Math.tanh(
        product([...xs, reset], candidateWeight, row, j) + candidateBias.data[bias * d + j],
      );
      candidate.data[at] = c;
      next.data[at] = z * h.data[at] + (1 - z) * c;
    }
  }
}

export function gruCellGradLoops(
  {
    gateWeight,
    candidateWeight,
    dnext,
    gates,
    candidate,
    h,
  }: Arrays<'gateWeight' | 'candidateWeight' | 'dnext' | 'gates' | 'candidate' | 'h'>,
  {
    ofGates,
    ofCandidate,
    dh,
    dxs,
  }: Arrays<'ofGates' | 'ofCandidate' | 'dh'> & { readonly dxs: readonly NdArray[] },
): void {
  const d = h.shape[1];
  const dreset = { ...dh, data: new Float64Array(dh.data.length) };
  for (const { data } of dxs) data.fill(0);
  dh.data.forEach((_, at) => {
    const atZ = 2 * at - (at % d) + d;
    const [z, c, g] = [gates.data[atZ], candidate.data[at], dnext.data[at]];
    ofCandidate.data[at] = g * (1 - z) * (1 - c * c);
    ofGates.data[atZ] = g * (h.data[at] - c) * z * (1 - z);
  });
  addBack(ofCandidate, candidateWeight, [...dxs, dreset]);
  dh.data.forEach((_, at) => {
    const atR = 2 * at - (at % d);
    const [r, z] = [gates.data[atR], gates.data[atR + d]];
    ofGates.data[atR] = dreset.data[at] * h.data[at] * r * (1 - r);
    dh.data[at] = dnext.data[at] * z + dreset.data[at] * r;
  });
  addBack(ofGates, gateWeight, [...dxs, dh]);
}
