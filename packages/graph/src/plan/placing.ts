import { IntQueue } from './int-queue.ts';

/**
 * Gives out places to distinct ids in the order in which they come. Each id, which is below `count`, is replaced by its place;
 * −1 stays. What comes back, in room that the next call takes back, is place → id.
 */
export function createPlacing(): (ids: Int32Array, count: number) => Int32Array {
  /** Id → its place, −1 between two calls. */
  let placeOf = new Int32Array(0);
  const found = new IntQueue();
  return (ids, count) => {
    if (placeOf.length < count) placeOf = new Int32Array(count).fill(-1);
    found.count = 0;
    for (let k = 0; k < ids.length; k++) {
      const id = ids[k];
      if (id < 0) continue;
      if (placeOf[id] < 0) {
        placeOf[id] = found.count;
        found.push(id);
      }
      ids[k] = placeOf[id];
    }
    const distinct = found.values.subarray(0, found.count);
    for (let place = 0; place < distinct.length; place++) placeOf[distinct[place]] = -1;
    return distinct;
  };
}
