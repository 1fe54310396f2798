/** Where tensors lie in a file's bytes: each as long as its shape says, side by side, without overlap or hole. */
import type { HeaderEntry } from './header.ts';
import { SafetensorsError, showName } from './safetensors-error.ts';
import { storedTypes } from './stored-tensor.ts';

/** Raises unless the entries share out `dataLength` bytes exactly. Looks at numbers only; reads and allocates no data. */
export function checkLayout(
  where: string,
  entries: ReadonlyMap<string, HeaderEntry>,
  dataLength: number,
): void {
  const inOrder = [...entries].sort(([, a], [, b]) => a.begin - b.begin || a.end - b.end);
  let covered = 0;
  let previous: string | undefined;
  for (const [name, { dtype, shape, begin, end }] of inOrder) {
    const fail = (message: string): never => {
      throw new SafetensorsError(where, `${message}, got data_offsets [${begin}, ${end}]`, name);
    };
    const size = byteSize(shape, storedTypes[dtype].BYTES_PER_ELEMENT);
    if (!Number.isSafeInteger(size))
      fail(`expected a size below 2⁵³ bytes for shape [${showExtents(shape)}]`);
    if (end - begin !== size) fail(`expected ${size} bytes for ${dtype} [${showExtents(shape)}]`);
    if (end > dataLength) fail(`expected bytes inside the ${dataLength} after the header`);
    if (begin < covered) fail(`expected bytes of its own, not those of ${showName(previous!)}`);
    if (begin > covered) fail(`expected no hole before it: bytes from ${covered} on belong to no tensor`);
    covered = end;
    previous = name;
  }
  if (covered !== dataLength) {
    throw new SafetensorsError(
      where,
      `expected ${covered} bytes after the header, got ${dataLength}: the last belong to no tensor`,
    );
  }
}

/** Not a safe integer if the size overflows: a product never becomes small again except by an extent of 0. */
function byteSize(shape: readonly number[], bytesPerElement: number): number {
  let size = bytesPerElement;
  for (const extent of shape) {
    size *= extent;
    if (!Number.isSafeInteger(size)) return size;
  }
  return size;
}

function showExtents(shape: readonly number[]): string {
  return shape.length > 8 ? `${shape.slice(0, 8).join(', ')}, …` : shape.join(', ');
}
