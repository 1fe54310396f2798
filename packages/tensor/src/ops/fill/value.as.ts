/** fill, cast and copies. A unit is 64 bytes, as in unary.as.ts. */

export function fill(start: i32, end: i32, y: usize, value: f32): void {
  const v = f32x4.splat(value);
  const stop = (<usize>end) << 6;
  for (let p = (<usize>start) << 6; p < stop; p += 16) v128.store(y + p, v);
}

export function fillInt(start: i32, end: i32, y: usize, value: i32): void {
  const v = i32x4.splat(value);
  const stop = (<usize>end) << 6;
  for (let p = (<usize>start) << 6; p < stop; p += 16) v128.store(y + p, v);
}

export function copy(start: i32, end: i32, x: usize, y: usize): void {
  const stop = (<usize>end) << 6;
  for (let p = (<usize>start) << 6; p < stop; p += 64) {
    const a = v128.load(x + p);
    const b = v128.load(x + p, 16);
    const c = v128.load(x + p, 32);
    const d = v128.load(x + p, 48);
    v128.store(y + p, a);
    v128.store(y + p, b, 16);
    v128.store(y + p, c, 32);
    v128.store(y + p, d, 48);
  }
}

/** int32 or bool to float32. */
export function castIntToFloat(start: i32, end: i32, x: usize, y: usize): void {
  const stop = (<usize>end) << 6;
  for (let p = (<usize>start) << 6; p < stop; p += 16) {
    v128.store(y + p, f32x4.convert_i32x4_s(v128.load(x + p)));
  }
}

/** Towards 0; beyond the range its end; NaN to 0. */
export function castFloatToInt(start: i32, end: i32, x: usize, y: usize): void {
  const stop = (<usize>end) << 6;
  for (let p = (<usize>start) << 6; p < stop; p += 16) {
    v128.store(y + p, i32x4.trunc_sat_f32x4_s(v128.load(x + p)));
  }
}

export function castFloatToBool(start: i32, end: i32, x: usize, y: usize): void {
  const stop = (<usize>end) << 6;
  for (let p = (<usize>start) << 6; p < stop; p += 16) {
    v128.store(y + p, v128.and(f32x4.ne(v128.load(x + p), f32x4.splat(0)), i32x4.splat(1)));
  }
}

export function castIntToBool(start: i32, end: i32, x: usize, y: usize): void {
  const stop = (<usize>end) << 6;
  for (let p = (<usize>start) << 6; p < stop; p += 16) {
    v128.store(y + p, v128.and(i32x4.ne(v128.load(x + p), i32x4.splat(0)), i32x4.splat(1)));
  }
}
