/** What a pointer or a key does on a map: picks the source, points at nodes, zooms and moves what is seen. */
import type { MapCanvas } from '../drawing/map-canvas.ts';
import { noZoom } from '../drawing/map-layout.ts';
import type { Zoom } from '../drawing/map-layout.ts';
import { neighbour } from './places.ts';
import type { Playground } from './playground.ts';
import type { State } from './state.ts';
import type { Store } from './store.ts';

/** How an arrow key moves the source. */
const moves: Readonly<Record<string, readonly [number, number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
const largest = 32;
/** A pointer that moves less picks. */
const stillness = 4;

/** So many times larger around a point, given from the middle of the map. At its own size all is seen again. */
export function zoomed({ scale, x, y }: Zoom, factor: number, [atX, atY] = [0, 0]): Zoom {
  const next = Math.min(largest, scale * factor);
  if (next <= 1) return noZoom;
  const by = next / scale;
  return { scale: next, x: atX + (x - atX) * by, y: atY + (y - atY) * by };
}

/** Where all is seen, a drag takes the source along; where a part is, it moves that part, and a click picks. */
export function addGestures({ get, set }: Store<State>, { pickSource }: Playground, canvas: MapCanvas): void {
  const map = canvas.element;
  let held: { readonly x: number; readonly y: number; readonly zoom: Zoom; isMoved: boolean } | undefined;
  const isPart = (): boolean => get().zoom.scale > 1;

  map.onpointerdown = (event) => {
    if (event.button !== 0) return;
    map.setPointerCapture(event.pointerId);
    held = { x: event.clientX, y: event.clientY, zoom: get().zoom, isMoved: false };
    if (!isPart()) pickSource(canvas.nodeAt(event));
  };
  map.onpointermove = (event) => {
    // Cells of a grid need no names.
    if (!held && !get().world?.map) point(canvas.nodeAt(event));
    if (!held || event.buttons !== 1) return;
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    if (!isPart()) pickSource(canvas.nodeAt(event));
    else if (held.isMoved || Math.hypot(dx, dy) > stillness) {
      held.isMoved = true;
      set({ zoom: { ...held.zoom, x: held.zoom.x + dx, y: held.zoom.y + dy } });
    }
  };
  map.onpointerup = (event) => {
    if (held && isPart() && !held.isMoved) pickSource(canvas.nodeAt(event));
    held = undefined;
  };
  map.onpointercancel = () => (held = undefined);
  map.onpointerleave = () => point(-1);
  const point = (node: number): void => set({ marked: node < 0 ? undefined : node });

  map.addEventListener(
    'wheel',
    (event) => {
      // Without Ctrl it scrolls the page; a touchpad's pinch comes with it.
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const { left, top, width, height } = map.getBoundingClientRect();
      const at: [number, number] = [event.clientX - left - width / 2, event.clientY - top - height / 2];
      set({ zoom: zoomed(get().zoom, 2 ** (-event.deltaY / 200), at) });
    },
    { passive: false },
  );
  map.onkeydown = (event) => {
    const move = moves[event.key];
    if (!move || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    pickSource(neighbour(get(), move));
  };
}
