/** A canvas that shows a map. What does not change is drawn once into layers of its own. */
import { attentionScale } from './attention-scale.ts';
import {
  drawFlow,
  drawLabel,
  drawMark,
  drawNodes,
  drawRings,
  drawStops,
  drawWalks,
} from './draw-attention.ts';
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

  const fit = ({ places, zoom }: Picture): MapLayout => {
    const ratio = globalThis.devicePixelRatio || 1;
    const [width, height] = [element.clientWidth, element.clientHeight];
    const of = [places, zoom, width, height, ratio];
    if (layout && of.every((each, i) => each === layoutOf[i])) return layout;
    // To set a size empties a canvas and costs time: not while it is only zoomed, or laid out.
    const isResized = of.slice(2).some((each, i) => each !== layoutOf[2 + i]);
    layoutOf = of;
    if (isResized) {
      for (const canvas of [element, ground.canvas, directions.canvas]) {
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
      }
      for (const each of [context, ground.context, directions.context])
        each.setTransform(ratio, 0, 0, ratio, 0, 0);
    }
    layout = mapLayout(places, width, height, zoom);
    return layout;
  };

  const draw = (picture: Picture): Drawn | undefined => {
    const { edges, theme, scale, amounts, stopped, flow, arrows, walks, rings, source, marked, labels } =
      picture;
    const layout = fit(picture);
    const [width, height] = [element.clientWidth, element.clientHeight];
    if (width === 0 || height === 0) return undefined;
    const colors = palettes[theme];
    context.clearRect(0, 0, width, height);
    ground.show([layout, theme], (on) => drawGround(on, edges, layout, colors), [width, height], context);
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
    for (const [node, name] of labels ?? []) drawLabel(context, name, node, layout, colors, width);
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
