/** A canvas that shows a map. What does not change is drawn once into layers of its own. */
import { attentionScale } from './attention-scale.ts';
import { drawFlow, drawMark, drawNodes, drawRings, drawStops, drawWalks } from './draw-attention.ts';
import type { Drawn } from './draw-attention.ts';
import { drawArrows, drawGround } from './draw-map.ts';
import { mapLayout } from './map-layout.ts';
import type { MapLayout } from './map-layout.ts';
import { palettes } from './palette.ts';
import type { Picture } from './picture.ts';

export interface MapCanvas {
  readonly element: HTMLCanvasElement;
  /** Draws at the size that the element has now. */
  draw(this: void, picture: Picture): Drawn | undefined;
  nodeAt(this: void, event: MouseEvent): number;
}

export function createMapCanvas(): MapCanvas {
  const element = document.createElement('canvas');
  const context = element.getContext('2d')!;
  const ground = layer();
  const directions = layer();
  let layout: MapLayout | undefined;
  let layoutOf: readonly unknown[] = [];

  const fit = ({ map }: Picture): MapLayout => {
    const ratio = globalThis.devicePixelRatio || 1;
    const [width, height] = [element.clientWidth, element.clientHeight];
    const of = [map, width, height, ratio];
    if (layout && of.every((each, i) => each === layoutOf[i])) return layout;
    layoutOf = of;
    for (const canvas of [element, ground.canvas, directions.canvas]) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    for (const each of [context, ground.context, directions.context])
      each.setTransform(ratio, 0, 0, ratio, 0, 0);
    layout = mapLayout(map, width, height);
    return layout;
  };

  const draw = (picture: Picture): Drawn | undefined => {
    const { map, theme, scale, amounts, stopped, flow, arrows, walks, rings, source, marked } = picture;
    const layout = fit(picture);
    const [width, height] = [element.clientWidth, element.clientHeight];
    if (width === 0 || height === 0) return undefined;
    const colors = palettes[theme];
    context.clearRect(0, 0, width, height);
    ground.show([layout, theme], (on) => drawGround(on, map, layout, colors), [width, height], context);
    if (flow) drawFlow(context, flow, layout, scale, colors);
    const drawn = amounts && drawNodes(context, amounts, layout, scale, theme);
    if (arrows) {
      directions.show(
        [layout, theme, arrows],
        (on) => drawArrows(on, arrows, layout, colors),
        [width, height],
        context,
      );
    }
    if (rings) drawRings(context, rings, layout, attentionScale('log', 1), colors);
    if (walks) drawWalks(context, walks, layout, colors);
    if (stopped) drawStops(context, stopped, layout, colors);
    if (source !== undefined) drawMark(context, source, layout, colors.text, colors.halo);
    if (marked !== undefined) drawMark(context, marked, layout, colors.walk, colors.halo);
    return drawn;
  };

  return {
    element,
    draw,
    nodeAt: (event) => {
      const { left, top } = element.getBoundingClientRect();
      return layout ? layout.nodeAt(event.clientX - left, event.clientY - top) : -1;
    },
  };
}

/** A picture that is drawn again only when what it depends on has changed. */
function layer() {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d')!;
  let drawnOf: readonly unknown[] = [];
  const show = (
    of: readonly unknown[],
    draw: (on: CanvasRenderingContext2D) => void,
    [width, height]: readonly [number, number],
    onto: CanvasRenderingContext2D,
  ): void => {
    if (of.length !== drawnOf.length || of.some((each, i) => each !== drawnOf[i])) {
      context.clearRect(0, 0, width, height);
      draw(context);
      drawnOf = of;
    }
    onto.drawImage(canvas, 0, 0, width, height);
  };
  return { canvas, context, show };
}
