/** How segments are divided among invocations: by their length. */
import type { GpuRows } from '../../backends/webgpu/kernel.ts';
import { groupsOf, unitsOf } from '../../backends/webgpu/kernel.ts';

/** Up to so many entries one invocation takes a segment alone; a longer one is shared by so many. */
const shortSegment = 64;
const manyLanes = 64;
const anyLength = 0xffffffff;

/** What a dispatch over the rows of an index is given, whatever its shader does with their entries. */
export interface SegmentDispatch {
  readonly params: Readonly<Record<'rows' | 'width' | 'units' | 'shortest' | 'longest', number>>;
  readonly constants: Readonly<Record<'lanes' | 'in_fours', number>>;
  readonly workgroups: number;
}

/**
 * One dispatch with one lane if all segments are short, one with many lanes if most are long, else both: the first
 * leaves the long segments to the second, so that neither many small segments nor one large waste the device.
 */
export function segmentDispatches(
  { rows, length, longest: most }: GpuRows,
  width: number,
  headWidth = width,
): readonly SegmentDispatch[] {
  const { units, in_fours } = unitsOf(width, headWidth);
  const dispatch = (lanes: number, shortest: number, longest: number): SegmentDispatch => ({
    params: { rows, width, units, shortest, longest },
    constants: { lanes, in_fours },
    workgroups: groupsOf(rows * units, 256 / lanes),
  });
  if (most <= shortSegment) return [dispatch(1, 0, anyLength)];
  if (length / rows > shortSegment / 2) return [dispatch(manyLanes, 0, anyLength)];
  return [dispatch(1, 0, shortSegment), dispatch(manyLanes, shortSegment + 1, anyLength)];
}

/** Invocations that share an edge of rows so wide: about one for two (or two fours of) columns. */
export function lanesPerEdge(width: number): { readonly lanes: number; readonly in_fours: number } {
  const { units, in_fours } = unitsOf(width);
  return { lanes: Math.min(16, 2 ** Math.max(0, Math.floor(Math.log2(units / 2)))), in_fours };
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
