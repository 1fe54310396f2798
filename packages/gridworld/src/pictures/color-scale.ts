/**
 * Viridis (van der Walt and Smith, for matplotlib): perceptually uniform, monotone in lightness, and readable
 * with every common colour blindness and in grey. Eleven stops, interpolated linearly.
 */
const VIRIDIS = [
  0x440154, 0x482475, 0x414487, 0x355f8d, 0x2a788e, 0x21918c, 0x22a884, 0x44bf70, 0x7ad151, 0xbddf26,
  0xfde725,
] as const;

/** The colour at `position` in 0 … 1, dark to bright, as `#rrggbb`. */
export function viridis(position: number): string {
  const scaled = Math.min(1, Math.max(0, position)) * (VIRIDIS.length - 1);
  const stop = Math.min(Math.floor(scaled), VIRIDIS.length - 2);
  const share = scaled - stop;
  let color = '#';
  for (const shift of [16, 8, 0]) {
    const from = (VIRIDIS[stop] >> shift) & 0xff;
    const to = (VIRIDIS[stop + 1] >> shift) & 0xff;
    color += Math.round(from + (to - from) * share)
      .toString(16)
      .padStart(2, '0');
  }
  return color;
}
