/** addAll: a unit is 64 bytes of the result. */

/** `table`: pointer and number of layers of each term; a layer has `bytes`. Lanes past the last value are never read. */
export function addAll(start: i32, end: i32, table: usize, terms: i32, bytes: i32, y: usize): void {
  for (let unit = start; unit < end; unit++) {
    const at = (<usize>unit) << 6;
    let a = f32x4.splat(0),
      b = a,
      c = a,
      d = a;
    for (let term = 0; term < terms; term++) {
      let x = <usize>load<i32>(table + ((<usize>term) << 3)) + at;
      for (let layers = load<i32>(table + ((<usize>term) << 3), 4); layers > 0; layers--) {
        a = f32x4.add(a, v128.load(x));
        b = f32x4.add(b, v128.load(x, 16));
        c = f32x4.add(c, v128.load(x, 32));
        d = f32x4.add(d, v128.load(x, 48));
        x += bytes;
      }
    }
    v128.store(y + at, a);
    v128.store(y + at, b, 16);
    v128.store(y + at, c, 32);
    v128.store(y + at, d, 48);
  }
}
