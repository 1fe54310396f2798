import type { Part } from '../torture.ts';
import { damage } from './damage.ts';
import { devices } from './devices.ts';
import { downloads } from './downloads.ts';
import { fullDisks } from './full-disks.ts';
import { fuzz } from './fuzz.ts';
import { kills } from './kills.ts';
import { races } from './races.ts';
import { soak } from './soak.ts';
import { sweeps } from './sweeps.ts';

export const parts: readonly Part[] = [
  kills,
  fullDisks,
  damage,
  races,
  devices,
  downloads,
  fuzz,
  sweeps,
  soak,
];
