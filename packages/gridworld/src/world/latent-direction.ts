import type { Fields, NumberField, ValueOf } from '@flowgrad/schema';
import { cos, sin } from './portable-math.ts';

/** Whose x and y turn the latent direction: those of the current place, or the maximum or sum over all places visited. */
export const HISTORIES = ['none', 'max', 'sum'] as const;
/** One of `HISTORIES`. */
export type History = (typeof HISTORIES)[number];

const latent = (label: string, about: string) =>
  ({ kind: 'number', least: -1e3, most: 1e3, label, about }) as const satisfies NumberField;

/** The numbers of a latent direction, and its history. */
export const LATENT_FIELDS = {
  a1: latent('a₁', 'of cos θ, to the east'),
  b1: latent('b₁', 'always to the east'),
  a2: latent('a₂', 'of sin θ, to the north'),
  b2: latent('b₂', 'always to the north'),
  omega: latent('ω', 'how θ grows with a step'),
  lambda1: latent('λ₁', 'how θ grows to the east'),
  lambda2: latent('λ₂', 'how θ grows to the north'),
  phi: latent('φ', 'θ at the beginning'),
  history: {
    kind: 'choice',
    choices: HISTORIES,
    label: 'x, y',
    about: 'whose x and y: of the place, or the maximum or sum over all places visited',
  },
} as const satisfies Fields;

/**
 * The latent direction of the paper,
 *
 *   d(t,x,y) = (a₁ cos θ + b₁, a₂ sin θ + b₂),   θ = ω t + λ₁ x + λ₂ y + φ.
 *
 * With a history, x and y are not the current location's but the maximum or the sum over all nodes visited so
 * far, the source and the current node included. The first step has t = 0.
 */
export type LatentDirection = {
  readonly [Name in keyof typeof LATENT_FIELDS]: ValueOf<(typeof LATENT_FIELDS)[Name]>;
};

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
