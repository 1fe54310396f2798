import { viridis } from './color-scale.ts';

export interface Theme {
  readonly background: string;
  readonly edge: string;
  readonly emptyNode: string;
  readonly nodeOutline: string;
  readonly text: string;
  readonly arrow: string;
  readonly flow: string;
  readonly trajectory: string;
  /** Around the trajectory and its ends, so that they stand out from any colour of the distribution. */
  readonly halo: string;
  /** The colour of a probability's place between none (0) and the largest (1). */
  readonly scale: (position: number) => string;
}

/** The largest probability stands out most from its background: dark on light, bright on dark. */
export const THEMES = {
  light: {
    background: '#ffffff',
    edge: '#d5d9e0',
    emptyNode: '#eef0f4',
    nodeOutline: '#b9c0cc',
    text: '#3b4252',
    arrow: '#5b6478',
    flow: '#1d2433',
    trajectory: '#d1495b',
    halo: '#ffffff',
    scale: (position) => viridis(1 - position),
  },
  dark: {
    background: '#14171f',
    edge: '#343b4a',
    emptyNode: '#232936',
    nodeOutline: '#4a5366',
    text: '#d8dee9',
    arrow: '#a5b0c5',
    flow: '#eef2f8',
    trajectory: '#ff7b8a',
    halo: '#14171f',
    scale: (position) => viridis(position),
  },
} as const satisfies Record<string, Theme>;

/** Whether a picture is drawn on light or on dark ground. */
export type ThemeName = keyof typeof THEMES;
