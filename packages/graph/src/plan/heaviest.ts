/** The `most` heaviest of some things, of equals those that come first, in their order or by `ids`: their places, ascending. */
export function heaviest(weights: ArrayLike<number>, most: number, ids?: Int32Array): Int32Array {
  if (weights.length <= most) return Int32Array.from({ length: weights.length }, (_, i) => i);
  /** Whether i is to be dropped before j. */
  const isLighter = (i: number, j: number): boolean =>
    weights[i] < weights[j] || (weights[i] === weights[j] && (ids ? ids[i] > ids[j] : i > j));
  // A heap of those that are kept so far, on top of it the one to be dropped next.
  const heap = new Int32Array(most);
  const sink = (from: number): void => {
    const moved = heap[from];
    let at = from;
    for (let child = 2 * at + 1; child < most; child = 2 * at + 1) {
      if (child + 1 < most && isLighter(heap[child + 1], heap[child])) child += 1;
      if (!isLighter(heap[child], moved)) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = moved;
  };
  for (let i = 0; i < most; i++) heap[i] = i;
  for (let at = most >> 1; at >= 0; at--) sink(at);
  for (let i = most; i < weights.length; i++) {
    if (!isLighter(heap[0], i)) continue;
    heap[0] = i;
    sink(0);
  }
  return heap.sort();
}
