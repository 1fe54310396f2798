/** The eight directions of an edge, in the order of their edge types 0 … 7; y grows to the north. */
export const DIRECTION_NAMES = ['E', 'NE', 'N', 'NW', 'W', 'SW', 'S', 'SE'] as const;

/** One of the eight directions by the name that files use, `NE`. */
export type DirectionName = (typeof DIRECTION_NAMES)[number];

export const DIRECTION_COUNT = 8;

/** The self-loop's edge type, for `withSelfLoops(map.graph, { edgeType: SELF_LOOP_TYPE })`. */
export const SELF_LOOP_TYPE = 8;

export const DIRECTION_X: readonly number[] = [1, 1, 0, -1, -1, -1, 0, 1];
export const DIRECTION_Y: readonly number[] = [0, 1, 1, 1, 0, -1, -1, -1];

/** d_e / ‖d_e‖ */
const DIAGONAL = 0.7071067811865476;
export const UNIT_DIRECTION_X: readonly number[] = [1, DIAGONAL, 0, -DIAGONAL, -1, -DIAGONAL, 0, DIAGONAL];
export const UNIT_DIRECTION_Y: readonly number[] = [0, DIAGONAL, 1, DIAGONAL, 0, -DIAGONAL, -1, -DIAGONAL];

/** An edge and its reverse are dropped together. */
export function oppositeDirection(direction: number): number {
  return (direction + 4) % DIRECTION_COUNT;
}
