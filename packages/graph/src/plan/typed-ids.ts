/** ids[k] · typeCount + types[k]: which slice of a typed product [rows · typeCount, …] entry k reads. */
export function typedIds(ids: Int32Array, types: Int32Array, typeCount: number): Int32Array {
  const result = new Int32Array(ids.length);
  for (let k = 0; k < result.length; k++) result[k] = ids[k] * typeCount + types[k];
  return result;
}

/** values[ids[k]] */
export function pick(values: Int32Array, ids: Int32Array): Int32Array {
  const result = new Int32Array(ids.length);
  for (let k = 0; k < result.length; k++) result[k] = values[ids[k]];
  return result;
}

/** Each of `nodes` once. */
export function ascending(nodes: ArrayLike<number>): Int32Array {
  const sorted = Int32Array.from(nodes).sort();
  let count = 0;
  for (let k = 0; k < sorted.length; k++) {
    if (count === 0 || sorted[k] !== sorted[count - 1]) sorted[count++] = sorted[k];
  }
  return sorted.slice(0, count);
}
