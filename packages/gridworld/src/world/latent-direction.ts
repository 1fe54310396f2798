import { cos, sin } from './portable-math.ts';

/**
 * The latent direction of the paper,
 *
 *   d(t,x,y) = (a₁ cos θ + b₁, a₂ sin θ + b₂),   θ = ω t + λ₁ x + λ₂ y + φ.
 *
 * With a history, x and y are not the current location's but the maximum or the sum over all nodes visited so
 * far, the source and the current node included. The first step has t = 0.
 */
export interface LatentDirection {
  readonly a1: number;
  readonly b1: number;
  readonly a2: number;
  readonly b2: number;
  /** ω */
  readonly omega: number;
  /** λ₁ */
  readonly lambda1: number;
  /** λ₂ */
  readonly lambda2: number;
  /** φ */
  readonly phi: number;
  readonly history: History;
}

/** Whose x and y turn the latent direction: those of the current place, or the maximum or sum over all places visited. */
export const HISTORIES = ['none', 'max', 'sum'] as const;
/** One of `HISTORIES`. */
export type History = (typeof HISTORIES)[number];

const still = {
  a1: 0,
  b1: 0,
  a2: 0,
  b2: 0,
  omega: 0,
  lambda1: 0,
  lambda2: 0,
  phi: 0,
  history: 'none',
} as const;

/** The paper's four dynamics. */
export const DYNAMICS = {
  /** (1, 0.4) */
  LINE: { ...still, b1: 1, b2: 0.4 },
  /** (1, sin(0.4 t + 1.6)) */
  SINE: { ...still, b1: 1, a2: 1, omega: 0.4, phi: 1.6 },
  /** (cos θ, sin θ), θ = 0.2 x + 0.2 y */
  LOCATION: { ...still, a1: 1, a2: 1, lambda1: 0.2, lambda2: 0.2 },
  /** (cos θ, sin θ), θ = 0.2 max xᵢ + 0.2 max yᵢ */
  HISTORY: { ...still, a1: 1, a2: 1, lambda1: 0.2, lambda2: 0.2, history: 'max' },
} as const satisfies Record<string, LatentDirection>;

/** The first part of a group's name, which says how the latent direction changes: `LINE`, `SINE`, … */
export type DynamicsName = keyof typeof DYNAMICS;

/** [d_x, d_y] at step t, for a location or history (x, y). */
export function latentDirectionAt(
  latent: LatentDirection,
  t: number,
  x: number,
  y: number,
): [number, number] {
  const theta = latent.omega * t + latent.lambda1 * x + latent.lambda2 * y + latent.phi;
  return [latent.a1 * cos(theta) + latent.b1, latent.a2 * sin(theta) + latent.b2];
}

/** The history after one more visited node with coordinate `visited`. */
export function extendHistory(history: History, soFar: number, visited: number): number {
  switch (history) {
    case 'none':
      return visited;
    case 'max':
      return soFar > visited ? soFar : visited;
    case 'sum':
      return soFar + visited;
  }
}
