import { DatasetFormatError } from '@flowgrad/data';
import { gridDataset } from '../dataset/dataset.ts';
import type { GridDataset, TrajectoryDataset } from '../dataset/dataset.ts';
import type { WorldParameters } from '../world/parameters.ts';
import { worldOnMap } from '../world/world.ts';

/** Data read from text, together with the process that generated it. */
export function withProcess(
  data: TrajectoryDataset,
  group: string | WorldParameters,
  seed: number,
): GridDataset {
  const world = worldOnMap(data.map, group);
  const { offsets, count } = data.trajectories;
  for (let i = 0; i < count; i++) {
    const steps = offsets[i + 1] - offsets[i] - 1;
    if (steps > world.parameters.steps) {
      const expected = `at most ${world.parameters.steps} steps (${world.parameters.name})`;
      throw new DatasetFormatError(`trajectories.txt:${i + 1}`, expected, `${steps}`);
    }
  }
  return gridDataset(data, world, seed);
}
