/** Numbers that are given out to ids in the order in which they come. */
export interface Placed {
  /** Place → id; each once. */
  readonly ids: Int32Array;
  /** For each id that was given: its place. */
  readonly places: Int32Array;
}

/** Gives each distinct id below `count` a place, in the order in which they come. */
export function createPlacing(): (ids: Int32Array, count: number) => Placed {
  /** Id → its place, −1 between two calls. */
  let placeOf = new Int32Array(0);
  return (ids, count) => {
    if (placeOf.length < count) placeOf = new Int32Array(count).fill(-1);
    const places = new Int32Array(ids.length);
    const found = new Int32Array(Math.min(ids.length, count));
    let next = 0;
    for (let k = 0; k < ids.length; k++) {
      const id = ids[k];
      if (placeOf[id] < 0) {
        placeOf[id] = next;
        found[next++] = id;
      }
      places[k] = placeOf[id];
    }
    for (let place = 0; place < next; place++) placeOf[found[place]] = -1;
    return { ids: found.subarray(0, next), places };
  };
}
