/** The `most` heaviest of some things, of equals those that come first, in their order or by `ids`: their places, ascending. */
export function heaviest(weights: ArrayLike<number>, most: number, ids?: Int32Array): Int32Array {
  const { length } = weights;
  if (length <= most) return Int32Array.from({ length }, (_, i) => i);
  const classes = classesOf(weights);
  const { lightest, room } = lightestOf(classes, length, most);
  // Of the lightest class only so many are taken as there is room for.
  const light: number[] = [];
  for (let i = 0; i < length; i++) if (classes[i] === lightest) light.push(i);
  if (light.length > room) {
    for (const i of light) classes[i] = -1;
    for (const i of heapOf(light, room, weights, ids)) classes[i] = lightest;
  }
  const places = new Int32Array(most);
  // The sign bit tells whether a class is taken: nothing branches on it.
  for (let i = 0, count = 0; count < most; i++) {
    places[count] = i;
    count += (lightest - 1 - classes[i]) >>> 31;
  }
  return places;
}

/** Weights, and the same bits as whole numbers; in room that the next call takes back. */
let given = new Float32Array(2 ** 10);
let bits = new Int32Array(given.buffer);

/** The first bits of each weight, a class of weights that are nearly alike: those of a higher one are heavier. All below 0 are in class 0. */
function classesOf(weights: ArrayLike<number>): Int32Array {
  const { length } = weights;
  if (length > given.length) {
    given = new Float32Array(2 * length);
    bits = new Int32Array(given.buffer);
  }
  given.set(weights);
  const classes = bits;
  for (let i = 0; i < length; i++) classes[i] = Math.max(classes[i] >> 20, 0);
  return classes;
}

/** How many there are of each class; all 0 between two calls. */
const counts = new Int32Array(2 ** 11);

/** The class of the lightest of the `most` heaviest, and how many of these are in it. */
function lightestOf(
  classes: Int32Array,
  length: number,
  most: number,
): { readonly lightest: number; readonly room: number } {
  let lightest = 0;
  for (let i = 0; i < length; i++) {
    counts[classes[i]] += 1;
    lightest = Math.max(lightest, classes[i]);
  }
  let room = most;
  for (; counts[lightest] < room; lightest--) room -= counts[lightest];
  counts.fill(0);
  return { lightest, room };
}

/** The `most` heaviest of some: a heap of those that are kept so far, on top of it the one to be dropped next. */
function heapOf(
  some: readonly number[],
  most: number,
  weights: ArrayLike<number>,
  ids: Int32Array | undefined,
): readonly number[] {
  const heap = some.slice(0, most);
  /** Whether i is to be dropped before j. */
  const isLighter = (i: number, j: number): boolean =>
    weights[i] < weights[j] || (weights[i] === weights[j] && (ids ? ids[i] > ids[j] : i > j));
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
  for (let at = most >> 1; at >= 0; at--) sink(at);
  for (let k = most; k < some.length; k++) {
    if (!isLighter(heap[0], some[k])) continue;
    heap[0] = some[k];
    sink(0);
  }
  return heap;
}
