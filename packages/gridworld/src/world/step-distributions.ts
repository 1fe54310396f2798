import { DIRECTION_COUNT, UNIT_DIRECTION_X, UNIT_DIRECTION_Y } from './directions.ts';
import { latentDirectionAt } from './latent-direction.ts';
import type { LatentDirection } from './latent-direction.ts';
import { exp, squareRoot } from './portable-math.ts';

/** Probabilities are whole multiples of 2⁻³²: a 32-bit random word decides a step by comparing integers. */
const PROBABILITY_UNIT = 2 ** -32;
const UNITS = 2 ** 32;

/**
 * P(e | t, x, y) over the eight directions, computed once for each (t, x, y) that is asked for.
 *
 * A row holds the cumulative distribution in units of 2⁻³², rounded. The sampler and the exact ceiling read
 * the same rows, so the ceiling is exact for what is sampled; what is rounded away has a probability below
 * 1.2e−10.
 */
export class StepDistributions {
  readonly #latent: LatentDirection;
  readonly #sigma: number;
  readonly #stride: number;
  readonly #rows = new Map<number, number>();
  /** [rows, 8] cumulative; each row ends with 2³². Replaced when it grows: read it anew after `rowOf`. */
  cumulative = new Float64Array(64 * DIRECTION_COUNT);
  /** [rows, 8] P(e | t, x, y) itself, the differences of `cumulative`. Replaced with it. */
  probabilities = new Float64Array(64 * DIRECTION_COUNT);

  /** `largest` bounds the x and y that will be asked for. */
  constructor(latent: LatentDirection, sigma: number, largest: number) {
    this.#latent = latent;
    this.#sigma = sigma;
    this.#stride = largest + 1;
  }

  /** Where the row of (t, x, y) begins in `cumulative`. */
  rowOf(t: number, x: number, y: number): number {
    const { omega, lambda1, lambda2 } = this.#latent;
    // What θ does not depend on is left out of the key.
    const time = omega === 0 ? 0 : t;
    const key = (time * this.#stride + (lambda1 === 0 ? 0 : x)) * this.#stride + (lambda2 === 0 ? 0 : y);
    return this.#rows.get(key) ?? this.#addRow(key, t, x, y);
  }

  #addRow(key: number, t: number, x: number, y: number): number {
    const row = this.#rows.size * DIRECTION_COUNT;
    if (row === this.cumulative.length) {
      this.cumulative = twiceAsLong(this.cumulative);
      this.probabilities = twiceAsLong(this.probabilities);
    }
    const [dx, dy] = latentDirectionAt(this.#latent, t, x, y);
    const units = cumulativeUnits(directionProbabilities(dx, dy, this.#sigma));
    this.cumulative.set(units, row);
    this.probabilities.set(
      units.map((upTo, e) => (upTo - (e === 0 ? 0 : units[e - 1])) * PROBABILITY_UNIT),
      row,
    );
    this.#rows.set(key, row);
    return row;
  }
}

/**
 * P(e) ∝ exp(2 ⟨d_e/‖d_e‖, d/‖d‖⟩ / σ²), e ∈ {E, NE, N, NW, W, SW, S, SE}.
 *
 * The paper prints the formula without the 2; with it the numbers of trajectories in the paper's table come
 * out. A latent direction of zero length prefers no edge: P is uniform.
 */
export function directionProbabilities(dx: number, dy: number, sigma: number): Float64Array {
  const norm = squareRoot(dx * dx + dy * dy);
  const scale = norm === 0 ? 0 : 2 / (sigma * sigma * norm);
  const weights = new Float64Array(DIRECTION_COUNT);
  let largest = -Infinity;
  for (let e = 0; e < DIRECTION_COUNT; e++) {
    weights[e] = scale * (UNIT_DIRECTION_X[e] * dx + UNIT_DIRECTION_Y[e] * dy);
    if (weights[e] > largest) largest = weights[e];
  }
  let total = 0;
  for (let e = 0; e < DIRECTION_COUNT; e++) total += weights[e] = exp(weights[e] - largest);
  for (let e = 0; e < DIRECTION_COUNT; e++) weights[e] /= total;
  return weights;
}

function cumulativeUnits(probabilities: Float64Array): Float64Array {
  let sum = 0;
  const cumulative = probabilities.map((probability) => Math.floor((sum += probability) * UNITS + 0.5));
  cumulative[DIRECTION_COUNT - 1] = UNITS;
  return cumulative;
}

function twiceAsLong(values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const longer = new Float64Array(2 * values.length);
  longer.set(values);
  return longer;
}
