/**
 * Where labels go that want to be at `wanted`, at least `gap` apart and within `low` … `high`: as close as their order
 * allows. Too many for the room share it evenly.
 */
export function spreadLabels(
  wanted: readonly number[],
  gap: number,
  [low, high]: readonly [number, number],
): number[] {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b] || a - b);
  const apart = Math.min(gap, (high - low) / Math.max(1, wanted.length - 1));
  // Neighbours that would overlap form a block around the mean of their wishes, until no two blocks overlap.
  const blocks: { start: number; members: number[] }[] = [];
  const placed = (members: readonly number[]): number => {
    const mean = members.reduce((sum, i, k) => sum + wanted[i] - k * apart, 0) / members.length;
    return Math.min(Math.max(mean, low), high - (members.length - 1) * apart);
  };
  for (const i of order) {
    let block = { start: placed([i]), members: [i] };
    for (let last = blocks.at(-1); last; last = blocks.at(-1)) {
      if (last.start + last.members.length * apart <= block.start + 1e-9) break;
      blocks.pop();
      const members = [...last.members, ...block.members];
      block = { start: placed(members), members };
    }
    blocks.push(block);
  }
  const places = new Array<number>(wanted.length);
  for (const { start, members } of blocks) members.forEach((i, k) => (places[i] = start + k * apart));
  return places;
}
