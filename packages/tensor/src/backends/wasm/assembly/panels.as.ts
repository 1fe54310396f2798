/** Right sides of products, packed into panels of 8 columns, as the tiles of `multiply.as.ts` read them. */

/** Panels first … last − 1 of B [k, m], stored [k, m] or, transposed, [m, k]: each k rows of 8, padded with zeros. */
export function packPanels(first: i32, last: i32, b: usize, k: i32, m: i32, transposed: bool, panels: usize): void {
  for (let panel = first; panel < last; panel++) {
    const j = panel << 3;
    const columns = min(m - j, 8);
    let to = panels + <usize>panel * (<usize>k << 5);
    if (transposed) {
      packTransposed(b + <usize>j * (<usize>k << 2), k, columns, to);
      continue;
    }
    let from = b + (<usize>j << 2);
    if (columns == 8) {
      for (let p = 0; p < k; p++) {
        v128.store(to, v128.load(from));
        v128.store(to, v128.load(from, 16), 16);
        to += 32;
        from += <usize>m << 2;
      }
    } else {
      for (let p = 0; p < k; p++) {
        for (let c = 0; c < 8; c++) {
          store<f32>(to + (<usize>c << 2), c < columns ? load<f32>(from + (<usize>c << 2)) : 0);
        }
        to += 32;
        from += <usize>m << 2;
      }
    }
  }
}

/** One panel from up to 8 rows of k values: 4×4 blocks are transposed in registers. */
function packTransposed(b: usize, k: i32, columns: i32, panel: usize): void {
  const stride = <usize>k << 2;
  for (let half = 0; half < 8; half += 4) {
    const count = columns - half;
    const to = panel + (<usize>half << 2);
    let p = 0;
    if (count >= 4) {
      for (; p + 4 <= k; p += 4) {
        const from = b + <usize>half * stride + (<usize>p << 2);
        const r0 = v128.load(from);
        const r1 = v128.load(from + stride);
        const r2 = v128.load(from + 2 * stride);
        const r3 = v128.load(from + 3 * stride);
        const a = v128.shuffle<f32>(r0, r1, 0, 4, 1, 5);
        const c = v128.shuffle<f32>(r0, r1, 2, 6, 3, 7);
        const d = v128.shuffle<f32>(r2, r3, 0, 4, 1, 5);
        const e = v128.shuffle<f32>(r2, r3, 2, 6, 3, 7);
        const at = to + (<usize>p << 5);
        v128.store(at, v128.shuffle<f32>(a, d, 0, 1, 4, 5));
        v128.store(at + 32, v128.shuffle<f32>(a, d, 2, 3, 6, 7));
        v128.store(at + 64, v128.shuffle<f32>(c, e, 0, 1, 4, 5));
        v128.store(at + 96, v128.shuffle<f32>(c, e, 2, 3, 6, 7));
      }
    }
    for (; p < k; p++) {
      for (let c = 0; c < 4; c++) {
        const value: f32 = c < count ? load<f32>(b + <usize>(half + c) * stride + (<usize>p << 2)) : 0;
        store<f32>(to + (<usize>p << 5) + (<usize>c << 2), value);
      }
    }
  }
}
