/**
 * exp, sin, cos and √ from + − × ÷ alone. ECMAScript fixes the result of those four to the last bit but
 * leaves the functions of Math to the engine; one bit would be enough to turn a rollout. Accurate to about
 * 1e−15, which the tests hold against Math.
 */

const LN2_HIGH = 0.6931471804855391; // the leading 33 bits of ln 2: n · LN2_HIGH is exact for |n| < 2²⁰
const LN2_LOW = 7.440617110012397e-11; // the rest
const TWO_OVER_PI = 0.6366197723675814;
const HALF_PI_HIGH = 1.5707963267341256; // the leading 33 bits of π/2, as above
const HALF_PI_LOW = 6.077100506506192e-11; // the rest
const EXP_TERMS = 15;
const TRIG_TERMS = 10;

/** eˣ = 2ⁿ eʳ with r = x − n ln 2, |r| ≤ ½ ln 2, and eʳ from its Taylor series by Horner's rule. */
export function exp(x: number): number {
  if (x < -745) return 0;
  if (x > 709) return Infinity;
  const n = Math.floor(x / LN2_HIGH + 0.5);
  const r = x - n * LN2_HIGH - n * LN2_LOW;
  let sum = 1;
  for (let k = EXP_TERMS; k > 0; k--) sum = 1 + (r / k) * sum;
  return scaleByPowerOfTwo(sum, n);
}

/** √x by Newton's iteration y ← (y + x/y) / 2 from above; x is brought to [1, 4) by powers of four first. */
export function squareRoot(x: number): number {
  if (!(x > 0) || x === Infinity) return x === 0 || x === Infinity ? x : NaN;
  let mantissa = x;
  let half = 0;
  for (; mantissa >= 4; half++) mantissa /= 4;
  for (; mantissa < 1; half--) mantissa *= 4;
  let root = 2;
  for (let i = 0; i < 7; i++) root = (root + mantissa / root) / 2;
  return scaleByPowerOfTwo(root, half);
}

export function sin(x: number): number {
  return quarterTurn(x, 0);
}

/** cos x = sin (x + π/2), the quarter turn added after the reduction. */
export function cos(x: number): number {
  return quarterTurn(x, 1);
}

/** sin(x + turns·π/2): x = n π/2 + r with |r| ≤ π/4, then ± sin r or ± cos r by the quadrant n + turns. */
function quarterTurn(x: number, turns: number): number {
  if (!(x > -1e6 && x < 1e6)) throw new RangeError(`sin, cos: expected an angle within ±1e6, got ${x}`);
  const n = Math.floor(x * TWO_OVER_PI + 0.5);
  const r = x - n * HALF_PI_HIGH - n * HALF_PI_LOW;
  const quadrant = (((n + turns) % 4) + 4) % 4;
  const value = quadrant % 2 === 0 ? sineSeries(r) : cosineSeries(r);
  return quadrant < 2 ? value : -value;
}

/** sin r = r (1 − r²/2·3 (1 − r²/4·5 (1 − …))) */
function sineSeries(r: number): number {
  let sum = 1;
  for (let k = TRIG_TERMS; k > 0; k--) sum = 1 - ((r * r) / (2 * k * (2 * k + 1))) * sum;
  return r * sum;
}

/** cos r = 1 − r²/1·2 (1 − r²/3·4 (1 − …)) */
function cosineSeries(r: number): number {
  let sum = 1;
  for (let k = TRIG_TERMS; k > 0; k--) sum = 1 - ((r * r) / ((2 * k - 1) * 2 * k)) * sum;
  return sum;
}

/** x · 2ⁿ by repeated exact multiplication. */
function scaleByPowerOfTwo(x: number, n: number): number {
  let value = x;
  for (let i = 0; i < n; i++) value *= 2;
  for (let i = 0; i > n; i--) value /= 2;
  return value;
}
