import { tensor } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';

const usualWaves = 4;

/** How many there are for each step. */
export const timeFeatureCount = 2 * usualWaves;

/** [T, 2 · waves]: sin πkt/T and cos πkt/T for k = 1 … waves. */
export function timeFeatures(T: number, waves = usualWaves): Tensor {
  const wave = (t: number, k: number): number[] => {
    const angle = (Math.PI * (k + 1) * t) / T;
    return [Math.sin(angle), Math.cos(angle)];
  };
  return tensor(
    Array.from({ length: T }, (_, t) => Array.from({ length: waves }, (_, k) => wave(t, k)).flat()),
  );
}
