/** How segments are divided among invocations: by their length. */
import type { GpuRows } from '../../backends/webgpu/kernel.ts';

/** Up to so many entries one invocation takes a segment alone. */
const shortSegment = 64;
const anyLength = 0xffffffff;

export interface SegmentDispatch {
  /** Invocations that share a segment. */
  readonly lanes: number;
  /** Which segments, by their number of entries. */
  readonly shortest: number;
  readonly longest: number;
}

/**
 * One dispatch with one lane if all segments are short, one with many lanes if most are long, else both: the first
 * leaves the long segments to the second, so that neither many small segments nor one large waste the device.
 */
export function segmentDispatches(index: GpuRows, manyLanes = 64): readonly SegmentDispatch[] {
  const { rows, length, longest } = index;
  if (longest <= shortSegment) return [{ lanes: 1, shortest: 0, longest: anyLength }];
  if (length / rows > shortSegment / 2) return [{ lanes: manyLanes, shortest: 0, longest: anyLength }];
  return [
    { lanes: 1, shortest: 0, longest: shortSegment },
    { lanes: manyLanes, shortest: shortSegment + 1, longest: anyLength },
  ];
}

/** Slices of a type's entries: few enough for the memory of partial sums, many enough to be busy. */
export function slicesOf(longest: number, { depth, most }: { depth: number; most: number }): SliceCount {
  const slices = Math.max(1, Math.min(most, Math.ceil(longest / depth)));
  return { slices, depth: Math.max(1, Math.ceil(longest / slices)) };
}

export interface SliceCount {
  readonly slices: number;
  readonly depth: number;
}
