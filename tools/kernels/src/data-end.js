// @ts-check
/** Where a module's constants end in memory. */

const dataSection = 11;

/**
 * 0 if it has none. Segments begin with a flag, then `i32.const` and the place, `end`, and the number of bytes:
 * https://webassembly.github.io/spec/core/binary/modules.html#data-section
 *
 * @param {Uint8Array} wasm
 */
export function dataEnd(wasm) {
  let at = 8; // past the magic number and the version
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = wasm[at++];
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < wasm.length) {
    const section = wasm[at++];
    const size = number();
    if (section !== dataSection) {
      at += size;
      continue;
    }
    let end = 0;
    for (let segments = number(); segments > 0; segments--) {
      at += 2; // the flag and i32.const
      const place = number();
      at += 1; // the end of the expression
      const bytes = number();
      at += bytes;
      end = Math.max(end, place + bytes);
    }
    return end;
  }
  return 0;
}
