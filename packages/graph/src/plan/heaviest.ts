/**
 * The `most` heaviest of some things, of equals those that come first, in their order or by `ids`: their places, ascending. Weights
 * are 0 or more.
 */
export function heaviest(weights: ArrayLike<number>, most: number, ids?: Int32Array): Int32Array {
  const { length } = weights;
  if (length <= most) return Int32Array.from({ length }, (_, i) => i);
  const classes = classesOf(weights);
  const lightest = classAt(classes, most);
  // Of the lightest class only so many are taken as there is room for.
  const light: number[] = [];
  let room = most;
  for (let i = 0; i < length; i++) {
    if (classes[i] > lightest) room -= 1;
    else if (classes[i] === lightest) light.push(i);
  }
  light.sort((i, j) => weights[j] - weights[i] || (ids ? ids[i] - ids[j] : i - j));
  for (let k = room; k < light.length; k++) classes[light[k]] = -1;
  const places = new Int32Array(most);
  for (let i = 0, count = 0; count < most; i++) if (classes[i] >= lightest) places[count++] = i;
  return places;
}

/** The first bits of each weight, a class of weights that are nearly alike: those of a higher one are heavier. */
function classesOf(weights: ArrayLike<number>): Int32Array {
  const classes = new Int32Array(new Float32Array(weights).buffer);
  for (let i = 0; i < classes.length; i++) classes[i] >>>= 16;
  return classes;
}

/** How many there are of each class; all 0 between two calls. */
const counts = new Int32Array(2 ** 16);

/** The class of the lightest of the `most` heaviest. */
function classAt(classes: Int32Array, most: number): number {
  let at = 0;
  for (let i = 0; i < classes.length; i++) {
    counts[classes[i]] += 1;
    if (classes[i] > at) at = classes[i];
  }
  for (let above = counts[at]; above < most; above += counts[at]) at -= 1;
  for (let i = 0; i < classes.length; i++) counts[classes[i]] = 0;
  return at;
}
