/** softmax and logSoftmax of rows of n values, a unit each: largest value, sum of exponentials, result. */
import { exp4 } from '../../backends/wasm/assembly/exponential.as';
import { log4 } from '../../backends/wasm/assembly/logarithm.as';
import { largestOf, loadPart, storePart, sumOfLanes } from '../../backends/wasm/assembly/vectors.as';

export function softmax(start: i32, end: i32, x: usize, y: usize, n: i32): void {
  const low = f32x4.splat(-Infinity);
  for (let row = start; row < end; row++) {
    const from = x + ((<usize>(row * n)) << 2);
    const to = y + ((<usize>(row * n)) << 2);
    const top = f32x4.splat(largestOf(from, n));
    let total = f32x4.splat(0);
    let c = 0;
    for (; c + 4 <= n; c += 4) {
      const e = exp4(f32x4.sub(v128.load(from + ((<usize>c) << 2)), top));
      v128.store(to + ((<usize>c) << 2), e);
      total = f32x4.add(total, e);
    }
    const rest = n - c;
    if (rest) {
      const e = exp4(f32x4.sub(loadPart(from + ((<usize>c) << 2), rest, low), top));
      storePart(to + ((<usize>c) << 2), e, rest);
      total = f32x4.add(total, e);
    }
    const sum = f32x4.splat(sumOfLanes(total));
    for (c = 0; c + 4 <= n; c += 4) {
      v128.store(to + ((<usize>c) << 2), f32x4.div(v128.load(to + ((<usize>c) << 2)), sum));
    }
    if (rest) {
      const p = to + ((<usize>c) << 2);
      storePart(p, f32x4.div(loadPart(p, rest, low), sum), rest);
    }
  }
}

export function logSoftmax(start: i32, end: i32, x: usize, y: usize, n: i32): void {
  const low = f32x4.splat(-Infinity);
  for (let row = start; row < end; row++) {
    const from = x + ((<usize>(row * n)) << 2);
    const to = y + ((<usize>(row * n)) << 2);
    const top = f32x4.splat(largestOf(from, n));
    let total = f32x4.splat(0);
    let c = 0;
    for (; c + 4 <= n; c += 4) {
      total = f32x4.add(total, exp4(f32x4.sub(v128.load(from + ((<usize>c) << 2)), top)));
    }
    const rest = n - c;
    if (rest) total = f32x4.add(total, exp4(f32x4.sub(loadPart(from + ((<usize>c) << 2), rest, low), top)));
    const log = log4(f32x4.splat(sumOfLanes(total)));
    for (c = 0; c + 4 <= n; c += 4) {
      v128.store(to + ((<usize>c) << 2), f32x4.sub(f32x4.sub(v128.load(from + ((<usize>c) << 2)), top), log));
    }
    if (rest) {
      const v = loadPart(from + ((<usize>c) << 2), rest, low);
      storePart(to + ((<usize>c) << 2), f32x4.sub(f32x4.sub(v, top), log), rest);
    }
  }
}
