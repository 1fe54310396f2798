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

/** Sorts `nodes`, and gives the beginning of the same array, which has each of them once. */
export function ascending(nodes: Int32Array): Int32Array {
  nodes.sort();
  let count = 0;
  for (let k = 0; k < nodes.length; k++) {
    if (count === 0 || nodes[k] !== nodes[count - 1]) nodes[count++] = nodes[k];
  }
  return nodes.subarray(0, count);
}
