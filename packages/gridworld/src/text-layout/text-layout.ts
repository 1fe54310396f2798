import { trajectoryDataset } from '../dataset/dataset.ts';
import type { TrajectoryDataset } from '../dataset/dataset.ts';
import { decodeGraph, encodeGraph } from './graph-file.ts';
import { decodeSplits, encodeSplit } from './split-files.ts';
import { decodeTrajectories, encodeTrajectories } from './trajectories-file.ts';

/** The files of the layout in which the paper's authors publish their datasets: tab-separated text. */
export const TEXT_FILES = ['graph.txt', 'train.txt', 'valid.txt', 'test.txt', 'trajectories.txt'] as const;
/** The name of one of these files. */
export type TextFile = (typeof TEXT_FILES)[number];

/** File name → text. */
export type TextLayout = Readonly<Record<TextFile, string>>;

/** What the files do not say. */
export interface TextLayoutOptions {
  /** N; the largest coordinate + 1 when left out. */
  readonly size?: number;
}

/** A dataset as the text files that the paper's code reads and writes. */
export function encodeTextLayout({ map, trajectories, splits }: TrajectoryDataset): TextLayout {
  return {
    'graph.txt': encodeGraph(map),
    'train.txt': encodeSplit(map, trajectories, splits.train),
    'valid.txt': encodeSplit(map, trajectories, splits.valid),
    'test.txt': encodeSplit(map, trajectories, splits.test),
    'trajectories.txt': encodeTrajectories(map, trajectories),
  };
}

/** Trajectories are numbered in the order of trajectories.txt. A mistake is named with its file and line. */
export function decodeTextLayout(files: TextLayout, { size }: TextLayoutOptions = {}): TrajectoryDataset {
  const map = decodeGraph(files['graph.txt'], size);
  const decoded = decodeTrajectories(files['trajectories.txt'], map);
  const texts = { train: files['train.txt'], valid: files['valid.txt'], test: files['test.txt'] };
  return trajectoryDataset(map, decoded.trajectories, decodeSplits(texts, map, decoded));
}
