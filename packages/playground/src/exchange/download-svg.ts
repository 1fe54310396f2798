import { mapSvg } from '@flowgrad/gridworld';
import type { Picture } from '../drawing/picture.ts';
import type { State } from '../page/state.ts';
import { downloadBytes } from './download.ts';

/** The map as gridworld draws it, for print. */
export function downloadSvg(state: State, picture: Picture, name: string): void {
  const { map, amounts, scale, flow, walks, arrows, source, theme } = picture;
  if (!map) throw new Error('export: expected a grid world, got a dataset (PNG has any picture)');
  const svg = mapSvg(map, {
    theme,
    scale: state.scale,
    largest: scale.end,
    title: `${name} from (${map.x[state.source ?? 0]}, ${map.y[state.source ?? 0]})`,
    ...(amounts && { distribution: amounts }),
    ...(flow && { flow }),
    ...(arrows && { arrows }),
    ...(source !== undefined && { source }),
    ...(walks && { trajectory: walks[0] }),
  });
  downloadBytes(new Blob([svg], { type: 'image/svg+xml' }), `${name}.svg`);
}
