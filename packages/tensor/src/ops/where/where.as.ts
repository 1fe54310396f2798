/** where: one row of `n` values of the result per unit, operands as in binary.as.ts. */
import { loadPart, storePart } from '../../backends/wasm/assembly/vectors.as';

@inline
function operand(p: usize, step: i32): v128 {
  return step ? v128.load(p) : v128.load_splat<f32>(p);
}

@inline
function choose(mask: v128, a: v128, b: v128): v128 {
  return v128.bitselect(b, a, i32x4.eq(mask, i32x4.splat(0)));
}

export function where(
  start: i32, end: i32, mask: usize, a: usize, b: usize, y: usize, total: i32, n: i32, stepMask: i32, stepA: i32, stepB: i32, axes: i32, table: usize,
): void {
  for (let r = start; r < end; r++) {
    let index = r;
    let entry = table;
    let pm = mask;
    let pa = a;
    let pb = b;
    for (let axis = 1; axis <= axes; axis++) {
      const extent = load<i32>(entry);
      const outer = axis == axes ? 0 : index / extent;
      const inner = index - outer * extent;
      pm += <usize>(inner * load<i32>(entry, 4)) << 2;
      pa += <usize>(inner * load<i32>(entry, 8)) << 2;
      pb += <usize>(inner * load<i32>(entry, 12)) << 2;
      index = outer;
      entry += 16;
    }
    let py = y + (<usize>(r * n) << 2);
    const count = min(n, total - r * n);
    const stop = py + (<usize>(count & ~3) << 2);
    if (stepMask & stepA & stepB) {
      while (py < stop) {
        v128.store(py, choose(v128.load(pm), v128.load(pa), v128.load(pb)));
        pm += 16;
        pa += 16;
        pb += 16;
        py += 16;
      }
    }
    const moveMask = stepMask << 4;
    const moveA = stepA << 4;
    const moveB = stepB << 4;
    while (py < stop) {
      v128.store(py, choose(operand(pm, stepMask), operand(pa, stepA), operand(pb, stepB)));
      pm += moveMask;
      pa += moveA;
      pb += moveB;
      py += 16;
    }
    const rest = count & 3;
    if (rest) {
      const zero = i32x4.splat(0);
      const vm = stepMask ? loadPart(pm, rest, zero) : v128.load_splat<f32>(pm);
      const va = stepA ? loadPart(pa, rest, zero) : v128.load_splat<f32>(pa);
      const vb = stepB ? loadPart(pb, rest, zero) : v128.load_splat<f32>(pb);
      storePart(py, choose(vm, va, vb), rest);
    }
  }
}
