/** What the machine can do at most, measured by the same compiler and engine: the yardstick of the benchmarks. */
import { madd } from '../backends/wasm/assembly/vectors.as';

/** 13 · 4 multiply-adds per repetition on registers alone: c ← c·a + b. */
export function peakMultiplyAdd(start: i32, end: i32, result: usize): void {
  const a = f32x4.splat(0.5),
    b = f32x4.splat(0.25);
  let c0 = v128.load(result),
    c1 = c0,
    c2 = c0,
    c3 = c0,
    c4 = c0,
    c5 = c0,
    c6 = c0,
    c7 = c0,
    c8 = c0,
    c9 = c0,
    c10 = c0,
    c11 = c0,
    c12 = c0;
  // Different values, or the compiler would compute one of them.
  c1 = f32x4.add(c1, a);
  c2 = f32x4.add(c1, a);
  c3 = f32x4.add(c2, a);
  c4 = f32x4.add(c3, a);
  c5 = f32x4.add(c4, a);
  c6 = f32x4.add(c5, a);
  c7 = f32x4.add(c6, a);
  c8 = f32x4.add(c7, a);
  c9 = f32x4.add(c8, a);
  c10 = f32x4.add(c9, a);
  c11 = f32x4.add(c10, a);
  c12 = f32x4.add(c11, a);
  for (let i = start; i < end; i++) {
    c0 = madd(c0, a, b);
    c1 = madd(c1, a, b);
    c2 = madd(c2, a, b);
    c3 = madd(c3, a, b);
    c4 = madd(c4, a, b);
    c5 = madd(c5, a, b);
    c6 = madd(c6, a, b);
    c7 = madd(c7, a, b);
    c8 = madd(c8, a, b);
    c9 = madd(c9, a, b);
    c10 = madd(c10, a, b);
    c11 = madd(c11, a, b);
    c12 = madd(c12, a, b);
  }
  c0 = f32x4.add(f32x4.add(c0, c1), f32x4.add(c2, c3));
  c4 = f32x4.add(f32x4.add(c4, c5), f32x4.add(c6, c7));
  c8 = f32x4.add(f32x4.add(c8, c9), f32x4.add(c10, c11));
  v128.store(result, f32x4.add(f32x4.add(c0, c4), f32x4.add(c8, c12)));
}

/** Copies units of 64 bytes. */
export function peakCopy(start: i32, end: i32, from: usize, to: usize): void {
  for (let i = start; i < end; i++) {
    const p = (<usize>i) << 6;
    const a = v128.load(from + p);
    const b = v128.load(from + p, 16);
    const c = v128.load(from + p, 32);
    const d = v128.load(from + p, 48);
    v128.store(to + p, a);
    v128.store(to + p, b, 16);
    v128.store(to + p, c, 32);
    v128.store(to + p, d, 48);
  }
}
