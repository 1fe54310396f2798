export { DATASET_GROUPS, parseGroupName } from './world/group-name.ts';
export { createWorld, worldOnMap } from './world/world.ts';
export type { World } from './world/world.ts';
export { checkWorldParameters, MAP_FIELDS, WALK_FIELDS } from './world/parameters.ts';
export type { MapParameters, WorldParameters } from './world/parameters.ts';
export { createGridMap } from './world/grid-map.ts';
export type { GridMap } from './world/grid-map.ts';
export { DIRECTION_NAMES, SELF_LOOP_TYPE } from './world/directions.ts';
export type { DirectionName } from './world/directions.ts';
export { DYNAMICS, HISTORIES, LATENT_FIELDS, latentDirectionAt } from './world/latent-direction.ts';
export type { DynamicsName, History, LatentDirection } from './world/latent-direction.ts';
export { directionProbabilities } from './world/step-distributions.ts';
export type { StepDistributions } from './world/step-distributions.ts';

export { generateDataset, isGridDataset } from './dataset/dataset.ts';
export type { GridDataset, TrajectoryDataset } from './dataset/dataset.ts';
export { trajectoryNodes } from './dataset/trajectories.ts';
export type { Trajectories } from './dataset/trajectories.ts';
export { rollOut } from './dataset/rollout.ts';
export type { RolloutOptions } from './dataset/rollout.ts';
export type { Splits } from './dataset/splits.ts';
export { datasetStatistics } from './dataset/statistics.ts';
export type { DatasetStatistics } from './dataset/statistics.ts';

export { exactDestinations } from './exact/exact-destinations.ts';
export { ceilingMetrics } from './exact/ceiling.ts';

export { decodeTextLayout, encodeTextLayout, TEXT_FILES } from './text-layout/text-layout.ts';
export type { TextFile, TextLayout, TextLayoutOptions } from './text-layout/text-layout.ts';
export { withProcess } from './text-layout/with-process.ts';
export { planeWaveCount, planeWaves } from './world/plane-waves.ts';
export type { PlaneWaveOptions } from './world/plane-waves.ts';
export { fourierFeatures } from './world/fourier-features.ts';
export type { FourierFeatureOptions } from './world/fourier-features.ts';

export { mapSvg } from './pictures/map-picture.ts';
export type { MapPictureOptions } from './pictures/map-picture.ts';
export type { EdgeFlow } from './pictures/flow-marks.ts';
export { latentArrows } from './pictures/latent-arrows.ts';
export type { LatentArrowOptions, NodeArrow } from './pictures/latent-arrows.ts';
export { viridis } from './pictures/color-scale.ts';
export { colorLevel, probabilityScale } from './pictures/probability-scale.ts';
export type {
  ProbabilityScale,
  ProbabilityScaleName,
  ProbabilityScaleOptions,
} from './pictures/probability-scale.ts';
export { stopCross } from './pictures/stop-cross.ts';
export type { ThemeName } from './pictures/theme.ts';

export { PAPER_STATISTICS } from './paper/paper-statistics.ts';
export { compareStatistics } from './paper/statistics-comparison.ts';
export type { StatisticsComparison } from './paper/statistics-comparison.ts';
export { compareCeiling, REFERENCE_CEILINGS } from './paper/ceiling-comparison.ts';
export type { CeilingComparison } from './paper/ceiling-comparison.ts';
export { summarizeSeeds } from './paper/seed-summary.ts';
export type { SeedSummary } from './paper/seed-summary.ts';
