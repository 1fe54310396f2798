/** What the page knows and shows. */
import type { RawAndFiltered } from '@flowgrad/data';
import type { DatasetCard, EpochMetrics, MetricName } from '@flowgrad/evaluation';
import { firstConfiguration } from '../configuration/configuration.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { ScaleName, ThemeName } from '../drawing/attention-scale.ts';
import type { Points } from '../drawing/curve-points.ts';
import { noZoom } from '../drawing/map-layout.ts';
import type { Zoom } from '../drawing/map-layout.ts';
import type { DeviceDescription, PreparedRun, StoredRun, Watched } from '../protocol/training-protocol.ts';
import type { LayoutNews, SourceView, WorldView } from '../protocol/world-protocol.ts';

/** What the colours on the map show. */
export type LayerName = 'attention' | 'belt' | 'destinations' | 'exact';

export interface RunState extends PreparedRun {
  readonly losses: Points;
  readonly epochs: readonly EpochMetrics[];
}

/** 'stopped': it can be watched and saved, and starting begins anew. */
export type Phase = 'preparing' | 'ready' | 'training' | 'paused' | 'stopped' | 'done' | 'failed';

/** A run to go on with, and what was seen of it. */
export interface ResumedRun {
  readonly stored: StoredRun;
  readonly losses: Points;
}

/** Training that a change has ended and that can be brought back. */
export interface SetAside {
  readonly configuration: Configuration;
  readonly runs: readonly ResumedRun[];
  /** `GGNN-MulMlp at step 120` */
  readonly words: string;
}

export interface Notice {
  readonly kind: 'news' | 'problem';
  readonly text: string;
  /** Whether it is about the device: nobody did anything to be told so, and it need not stay in sight. */
  readonly isOfDevice?: boolean;
  /** Whether it is about settings that were refused: it goes when others are taken. */
  readonly isOfSettings?: boolean;
}

export interface State {
  readonly configuration: Configuration;
  /** Datasets that were opened. */
  readonly datasets: readonly DatasetCard[];
  /** A grid world, or a dataset. */
  readonly world: WorldView | undefined;
  /** Of a dataset without positions. */
  readonly layout: LayoutNews | undefined;
  readonly ceiling: RawAndFiltered | undefined;
  /** A node. */
  readonly source: number | undefined;
  /** What is asked, of datasets that ask. */
  readonly query: number | undefined;
  readonly sourceView: SourceView | undefined;
  readonly device: DeviceDescription | undefined;
  readonly runs: readonly RunState[];
  readonly phase: Phase;
  readonly stepsPerSecond: number;
  readonly memory: number;
  /** By run; of the source that was asked for last. */
  readonly watched: readonly Watched[];
  readonly layer: LayerName;
  readonly scale: ScaleName;
  readonly showFlow: boolean;
  readonly showWalks: boolean;
  readonly showDirections: boolean;
  readonly showExact: boolean;
  readonly metric: MetricName;
  /** Between 0 and T; not whole only while it plays. */
  readonly time: number;
  readonly isPlaying: boolean;
  readonly theme: ThemeName;
  /** What the maps show of the world; the same on both. */
  readonly zoom: Zoom;
  /** A node that is pointed at. */
  readonly marked: number | undefined;
  /** What is wrong with the text of fields, by the names of their settings. */
  readonly wrongFields: Readonly<Record<string, string>>;
  readonly notice: Notice | undefined;
  readonly setAside: SetAside | undefined;
  /** Said to screen readers. */
  readonly status: string;
}

export const firstState: State = {
  configuration: firstConfiguration,
  datasets: [],
  world: undefined,
  layout: undefined,
  ceiling: undefined,
  source: undefined,
  query: undefined,
  sourceView: undefined,
  device: undefined,
  runs: [],
  phase: 'preparing',
  stepsPerSecond: 0,
  memory: 0,
  watched: [],
  layer: 'attention',
  scale: 'log',
  showFlow: true,
  showWalks: false,
  showDirections: false,
  showExact: false,
  metric: 'mrr',
  time: 0,
  isPlaying: false,
  theme: 'light',
  zoom: noZoom,
  marked: undefined,
  wrongFields: {},
  notice: undefined,
  setAside: undefined,
  status: '',
};
