/** typedLinear and typedOuter: matrix products on the rows of one type, picked out by `order` as they are read. */
import {
  multiplyColumnsIndexed,
  multiplyRowsPacked,
} from '../../backends/wasm/assembly/multiply.as';
import { packPanels } from '../../backends/wasm/assembly/panels.as';

/** Panels of all types' weights, `panels` of them each; a unit is a panel. */
export function typedPack(
  start: i32,
  end: i32,
  weight: usize,
  k: i32,
  m: i32,
  transposed: i32,
  panels: i32,
  packed: usize,
): void {
  for (let unit = start; unit < end; unit++) {
    const type = unit / panels;
    const panel = unit - type * panels;
    const from = weight + <usize>type * ((<usize>(k * m)) << 2);
    const to = packed + <usize>(type * panels) * ((<usize>k) << 5);
    packPanels(panel, panel + 1, from, k, m, transposed != 0, to);
  }
}

/** A unit is a block of `blocks`: type, first and last entry in `order`. */
export function typedLinear(
  start: i32,
  end: i32,
  blocks: usize,
  x: usize,
  packed: usize,
  order: usize,
  y: usize,
  k: i32,
  m: i32,
): void {
  const panels = (m + 7) >> 3;
  for (let unit = start; unit < end; unit++) {
    const block = blocks + <usize>unit * 12;
    const weight = packed + <usize>(load<i32>(block) * panels) * ((<usize>k) << 5);
    const first = load<i32>(block, 4);
    multiplyRowsPacked(
      first,
      load<i32>(block, 8),
      0,
      m,
      x,
      (<usize>k) << 2,
      order,
      weight,
      k,
      y,
      (<usize>m) << 2,
    );
  }
}

/** partial[unit] = Σ a[e]ᵀ·b[e] over the entries e of a block. */
export function typedOuter(
  start: i32,
  end: i32,
  blocks: usize,
  a: usize,
  b: usize,
  order: usize,
  partial: usize,
  n: i32,
  m: i32,
): void {
  for (let unit = start; unit < end; unit++) {
    const block = blocks + <usize>unit * 12;
    const first = load<i32>(block, 4);
    const count = load<i32>(block, 8) - first;
    const to = partial + <usize>unit * ((<usize>(n * m)) << 2);
    multiplyColumnsIndexed(a, n, b, m, order + ((<usize>first) << 2), count, to);
  }
}
