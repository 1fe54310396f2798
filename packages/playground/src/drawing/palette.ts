/** Colours of a picture. The two runs have blue and orange of Okabe and Ito, which colour-blind people tell apart. */
import type { ThemeName } from './attention-scale.ts';

export interface Palette {
  readonly background: string;
  readonly edge: string;
  /** Of edges by class, fainter than attention. */
  readonly classes: readonly string[];
  readonly node: string;
  /** Of nodes without attention; in dark colours it has a contrast of 3 : 1 to the background. */
  readonly outline: string;
  readonly text: string;
  readonly faint: string;
  readonly arrow: string;
  readonly walk: string;
  readonly exact: string;
  readonly halo: string;
  readonly flow: string;
  readonly ceiling: string;
  readonly runs: readonly [string, string];
}

export const palettes: Readonly<Record<ThemeName, Palette>> = {
  light: {
    background: '#ffffff',
    edge: '#dfe3ea',
    classes: ['#e8b66b', '#8fbf8f', '#8fb4e6', '#d9a5a0', '#a6a6cf', '#86c5c0', '#d3a4cf', '#b9b58a'],
    node: '#eceff4',
    outline: '#c5ccd8',
    text: '#2b3242',
    faint: '#5f6b80',
    arrow: '#8792a6',
    walk: '#c2334d',
    exact: '#c2334d',
    halo: '#ffffff',
    flow: '#1d2433',
    ceiling: '#5f6b80',
    runs: ['#0072b2', '#c55a00'],
  },
  dark: {
    background: '#171b24',
    edge: '#2c3342',
    classes: ['#7a5a22', '#3c6a40', '#34598c', '#7d4743', '#525287', '#2c6b68', '#73436f', '#62602f'],
    node: '#252c3a',
    outline: '#66718a',
    text: '#e3e8f1',
    faint: '#9aa6ba',
    arrow: '#7d8aa1',
    walk: '#ff8095',
    exact: '#ff8095',
    halo: '#171b24',
    flow: '#eef2f8',
    ceiling: '#9aa6ba',
    runs: ['#56b4e9', '#f0a030'],
  },
};
