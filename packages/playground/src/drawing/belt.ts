/** Attention over a whole walk of T steps in one picture, and between two of them. */

/** The belt, as in the paper's figures: each node with the most attention it has at any step. */
export function beltOf(focused: readonly Float32Array[]): Float32Array {
  const belt = Float32Array.from(focused[0]);
  for (const attention of focused) {
    for (let node = 0; node < belt.length; node++) belt[node] = Math.max(belt[node], attention[node]);
  }
  return belt;
}

/** A time between two steps shows both in proportion, which still sums to 1. */
export function attentionAt(focused: readonly Float32Array[], time: number): Float32Array {
  const before = focused[Math.min(Math.floor(time), focused.length - 1)];
  const share = time - Math.floor(time);
  const after = focused[Math.floor(time) + 1];
  if (share === 0 || after === undefined) return before;
  return before.map((amount, node) => (1 - share) * amount + share * after[node]);
}
