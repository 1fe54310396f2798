import { describe, expect, it } from 'vitest';
import { rollOut } from '../dataset/rollout.ts';
import { DIRECTION_COUNT } from '../world/directions.ts';
import { parseGroupName } from '../world/group-name.ts';
import { DYNAMICS, latentDirectionAt } from '../world/latent-direction.ts';
import type { History } from '../world/latent-direction.ts';
import { directionProbabilities } from '../world/step-distributions.ts';
import { createWorld } from '../world/world.ts';
import type { World } from '../world/world.ts';
import { exactDestinations } from './exact-destinations.ts';

const dynamicsNames = ['LINE', 'SINE', 'LOCATION', 'HISTORY'] as const;

/** P(destination) by walking every one of the 8ᵀ sequences of directions, with unrounded probabilities. */
function enumerateDestinations({ map, parameters }: World, source: number): Float64Array {
  const { latentDirection, steps, sigma } = parameters;
  const seen = (history: History, visited: number[], of: Int32Array): number => {
    const values = visited.map((node) => of[node]);
    if (history === 'max') return Math.max(...values);
    return history === 'sum' ? values.reduce((sum, value) => sum + value, 0) : values[values.length - 1];
  };
  const destinations = new Float64Array(map.graph.nodeCount);
  const walk = (visited: number[], probability: number): void => {
    const node = visited[visited.length - 1];
    const t = visited.length - 1;
    if (t === steps) {
      destinations[node] += probability;
      return;
    }
    const { history } = latentDirection;
    const direction = latentDirectionAt(
      latentDirection,
      t,
      seen(history, visited, map.x),
      seen(history, visited, map.y),
    );
    directionProbabilities(...direction, sigma).forEach((chance, e) => {
      const next = map.neighbors[node * DIRECTION_COUNT + e];
      if (next < 0) destinations[node] += probability * chance;
      else walk([...visited, next], probability * chance);
    });
  };
  walk([source], 1);
  return destinations;
}

function sumOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}

describe('exactDestinations', () => {
  const histories = [
    ...dynamicsNames.map((name) => [name, DYNAMICS[name]] as const),
    ['the sum of the history', { ...DYNAMICS.HISTORY, history: 'sum' }] as const,
    [
      'everything at once',
      { ...DYNAMICS.HISTORY, a1: 0.7, b1: 0.2, b2: -0.3, omega: 0.9, phi: 0.5 },
    ] as const,
    ['a history in y alone', { ...DYNAMICS.HISTORY, lambda1: 0 }] as const,
  ];
  it.each(histories)('agrees with the enumeration of all walks: %s', (_, latentDirection) => {
    const parameters = { ...parseGroupName('LINE-SZ5-STP5-NDRP-STD0.7'), latentDirection };
    const world = createWorld(parameters, { seed: 4 });
    for (const source of [0, 7, world.map.graph.nodeCount - 1]) {
      const expected = enumerateDestinations(world, source);
      // Rounding to 2⁻³² moves each step's probabilities by at most 2⁻³², eight directions and five steps.
      exactDestinations(world, source).forEach((probability, node) => {
        expect(Math.abs(probability - expected[node])).toBeLessThan(40 * 2 ** -32);
      });
    }
  });

  it.each(dynamicsNames.flatMap((name) => [0.2, 0.5].map((sigma) => [name, sigma] as const)))(
    'is normalised to 1e-12: %s, σ = %d',
    { timeout: 120_000 },
    (name, sigma) => {
      const world = createWorld(`${name}-SZ32-STP16-NDRP-STD${sigma}`, { seed: 1 });
      for (let source = 0; source < world.map.graph.nodeCount; source += 7) {
        expect(Math.abs(sumOf(exactDestinations(world, source)) - 1)).toBeLessThan(1e-12);
      }
    },
  );

  // Seeds and sources are as they came; each statistic exceeds its bound once in ten thousand.
  it.each(dynamicsNames)('agrees with 20,000 rollouts (chi-square): %s', { timeout: 120_000 }, (name) => {
    const rollouts = 20_000;
    const world = createWorld(`${name}-SZ32-STP16-NDRP-STD0.5`, { seed: 1 });
    for (const source of [100, 450, 800]) {
      const expected = exactDestinations(world, source);
      const counts = new Float64Array(expected.length);
      for (let rollout = 0; rollout < rollouts; rollout++) {
        const path = rollOut(world, source, { seed: 1, rollout });
        counts[path[path.length - 1]]++;
      }
      const { statistic, freedom } = chiSquare(counts, expected, rollouts);
      expect(freedom).toBeGreaterThan(5);
      expect(statistic).toBeLessThan(chiSquareBound(freedom));
    }
  });

  it('puts everything on the source with T = 0', () => {
    const world = createWorld('HISTORY-SZ6-STP0-NDRP-STD0.2', { seed: 1 });
    expect(exactDestinations(world, 3)).toEqual(
      Float64Array.from(world.map.x, (_, node) => (node === 3 ? 1 : 0)),
    );
  });

  it('says when a history has too many states to hold, and how many', () => {
    const latentDirection = { ...DYNAMICS.HISTORY, history: 'sum' as const };
    const world = createWorld(
      { ...parseGroupName('LINE-SZ32-STP16-NDRP-STD0.5'), latentDirection },
      { seed: 1 },
    );
    expect(() => exactDestinations(world, 0)).toThrow(
      'exactDestinations: expected at most 8388608 states (node, sum x, sum y), got 227495289',
    );
  });

  it('names a source that is not there', () => {
    const world = createWorld('LINE-SZ6-STP4-NDRP-STD0.2', { seed: 1 });
    expect(() => exactDestinations(world, -1)).toThrow(
      'expected source to be a node of the map (32 nodes), got -1',
    );
  });
});

/**
 * Pearson's statistic; nodes with an expected count below 5 are pooled. A count where none can be is
 * infinite.
 */
function chiSquare(counts: Float64Array, probabilities: Float64Array, total: number) {
  let statistic = 0;
  let cells = 0;
  let [pooledCount, pooledExpected] = [0, 0];
  counts.forEach((count, node) => {
    const expected = probabilities[node] * total;
    if (expected < 5) {
      if (expected === 0 && count > 0) statistic = Infinity;
      pooledCount += count;
      pooledExpected += expected;
    } else {
      statistic += (count - expected) ** 2 / expected;
      cells++;
    }
  });
  if (pooledExpected >= 1) {
    statistic += (pooledCount - pooledExpected) ** 2 / pooledExpected;
    cells++;
  }
  return { statistic, freedom: cells - 1 };
}

/** The value that chi-square exceeds once in ten thousand, by Wilson and Hilferty's cube (z = 3.719). */
function chiSquareBound(freedom: number): number {
  const a = 2 / (9 * freedom);
  return freedom * (1 - a + 3.719 * Math.sqrt(a)) ** 3;
}
