/** Where the nodes of a picture lie: as the dataset says, or by forces between them. */
import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from 'd3-force';
import type { Positions } from '@flowgrad/data';
import { aspect } from '../run/attended-part.ts';

/** In 0 … 1 of the picture, and y points up. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** The places that the dataset gives, fitted into the picture without distortion. */
export function givenPlaces({ x, y }: Positions, nodes: readonly number[]): Place[] {
  const points = nodes.map((node) => ({ x: x[node], y: y[node] }));
  const [width, height] = [extentOf(points, 'x'), extentOf(points, 'y')];
  const high = Math.max(width.size / aspect, height.size) || 1;
  return points.map((point) => ({
    x: rounded(0.5 + (point.x - width.middle) / (aspect * high)),
    y: rounded(0.5 + (point.y - height.middle) / high),
  }));
}

/**
 * Linked nodes lie near each other. The same for the same nodes and links: they start on a spiral, and d3-force draws from a
 * generator of its own that always starts the same.
 */
export function laidOut(
  nodeCount: number,
  links: readonly { readonly from: number; readonly to: number }[],
): Place[] {
  const bodies = Array.from({ length: nodeCount }, (): { x?: number; y?: number } => ({}));
  const lines = links.map(({ from, to }) => ({ source: bodies[from], target: bodies[to] }));
  forceSimulation(bodies)
    .force('links', forceLink(lines).distance(60).strength(0.25))
    .force('charge', forceManyBody().strength(-160))
    .force('x', forceX(0).strength(0.06))
    .force('y', forceY(0).strength(0.06))
    // Room for a name beside each node.
    .force('room', forceCollide(34))
    .stop()
    .tick(400);
  const points = bodies.map(({ x = 0, y = 0 }) => ({ x, y }));
  const [width, height] = [extentOf(points, 'x'), extentOf(points, 'y')];
  // The picture is filled in both directions: distances mean nothing here.
  return points.map(({ x, y }) => ({
    x: rounded(0.5 + (x - width.middle) / (width.size || 1)),
    y: rounded(0.5 + (y - height.middle) / (height.size || 1)),
  }));
}

/** Sines differ in the last bits from machine to machine; a picture does not. */
const rounded = (value: number): number => Math.round(value * 1000) / 1000;

function extentOf(points: readonly Place[], axis: keyof Place): { middle: number; size: number } {
  const values = points.map((point) => point[axis]);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return { middle: (low + high) / 2, size: high - low };
}
