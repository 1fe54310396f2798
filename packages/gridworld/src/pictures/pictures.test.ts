import { describe, expect, it } from 'vitest';
import { rollOut } from '../dataset/rollout.ts';
import { exactDestinations } from '../exact/exact-destinations.ts';
import { createGridMap } from '../world/grid-map.ts';
import { createWorld } from '../world/world.ts';
import { viridis } from './color-scale.ts';
import { latentArrows } from './latent-arrows.ts';
import { mapSvg } from './map-picture.ts';
import type { MapPictureOptions } from './map-picture.ts';
import { probabilityScale } from './probability-scale.ts';

const world = createWorld('HISTORY-SZ8-STP6-NDRP-STD0.5', { seed: 3 });
const { map } = world;
const trajectory = rollOut(world, 20, { seed: 3, rollout: 0 });
const distribution = exactDestinations(world, 20);

/** Throws unless every element is closed in the right order, and attributes and text are escaped. */
function elementsOf(svg: string): string[] {
  const open: string[] = [];
  const names: string[] = [];
  const rest = svg.replace(
    /<(\/?)([a-z]+)((?:\s[\w:-]+="[^"<]*")*)\s*(\/?)>/g,
    (_, closing, name: string, _a, single) => {
      if (closing) expect(open.pop()).toBe(name);
      else names.push(name);
      if (!closing && !single) open.push(name);
      return '';
    },
  );
  expect(open).toEqual([]);
  expect(rest).not.toMatch(/[<>]|&(?!amp;|lt;|gt;|quot;|apos;|#\d+;)/);
  return names;
}

function circlesOf(svg: string): { x: number; y: number; fill: string | undefined }[] {
  const circles = svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)" r="[\d.]+"(?: fill="(#\w+)")?\/>/g);
  return [...circles].map(([, x, y, fill]) => ({ x: Number(x), y: Number(y), fill }));
}

/** Each tapering line of the flow: where it leads, its width at the sender, its opacity. */
function flowsOf(svg: string): { tip: string; width: number; opacity: number }[] {
  const number = '(-?[\\d.]+)';
  const triangle = new RegExp(
    `<path d="M${number} ${number}L(${number} ${number})L${number} ${number}z" fill-opacity="${number}"/>`,
    'g',
  );
  return [...svg.matchAll(triangle)].map(([, x1, y1, tip, , , x2, y2, opacity]) => ({
    tip,
    width: Math.hypot(Number(x1) - Number(x2), Number(y1) - Number(y2)),
    opacity: Number(opacity),
  }));
}

it('marks what has stopped by a cross at its node, the larger the more, and not where it is next to nothing', () => {
  const stopped = Array.from({ length: 57 }, (_, node) => ({ 4: 1, 9: 0.25, 11: 0.04 })[node] ?? 0);
  const svg = mapSvg(map, { stopped });
  elementsOf(svg);
  const circles = circlesOf(svg);
  const [halo, cross] = [
    ...svg.matchAll(/<path d="([^"]*)" fill="none" stroke="[^"]*" stroke-width="[\d.]+"/g),
  ];
  expect(cross[1]).toBe(halo[1]);
  const strokes = [...cross[1].matchAll(/M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)/g)].map((each) =>
    each.slice(1).map(Number),
  );
  expect(strokes).toHaveLength(4);
  const [large, , small] = strokes.map(([x1, y1, x2, y2]) => ({
    x: (x1 + x2) / 2,
    y: (y1 + y2) / 2,
    width: x2 - x1,
  }));
  expect([large.x, large.y]).toEqual([circles[4].x, circles[4].y]);
  expect([small.x, small.y]).toEqual([circles[9].x, circles[9].y]);
  expect(large.width / small.width).toBeCloseTo(2, 1);
  expect(mapSvg(map, { stopped: stopped.map(() => 0) })).toBe(mapSvg(map));
});

describe('mapSvg', () => {
  it.each(['light', 'dark'] as const)('is a well-formed document with one circle per node: %s', (theme) => {
    const svg = mapSvg(map, {
      trajectory,
      distribution,
      arrows: latentArrows(world),
      theme,
      title: 'a <b> & "c"',
    });
    const names = elementsOf(svg);
    expect(names[0]).toBe('svg');
    // One more circle marks the source, on a halo.
    expect(names.filter((name) => name === 'circle')).toHaveLength(map.graph.nodeCount + 2);
    expect(svg).toContain('<title>a &lt;b&gt; &amp; &quot;c&quot;</title>');
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('draws the picture of the README', async () => {
    const sine = createWorld('SINE-SZ16-STP16-NDRP-STD0.5', { seed: 1 });
    const source = sine.map.nodeOfCell[7 * 16 + 1];
    const walk = rollOut(sine, source, { seed: 1, rollout: 0 });
    const svg = mapSvg(sine.map, {
      trajectory: walk,
      distribution: exactDestinations(sine, source),
      arrows: latentArrows(sine, { trajectory: walk }),
      scale: 'log',
      cell: 24,
      title: 'SINE-SZ16-STP16-NDRP-STD0.5: where walks from (1, 7) end, and one of them',
    });
    await expect(svg).toMatchFileSnapshot('../../docs/destinations.svg');
  });

  it('puts north up and east to the right', () => {
    const [first, ...others] = circlesOf(mapSvg(map, { cell: 10 }));
    others.forEach(({ x, y }, i) => {
      expect(x - first.x).toBeCloseTo(10 * (map.x[i + 1] - map.x[0]), 6);
      expect(y - first.y).toBeCloseTo(-10 * (map.y[i + 1] - map.y[0]), 6);
    });
  });

  it('gives the likeliest node the colour farthest from the background', () => {
    const best = distribution.indexOf(Math.max(...distribution));
    expect(circlesOf(mapSvg(map, { distribution }))[best].fill).toBe('#440154');
    expect(circlesOf(mapSvg(map, { distribution, theme: 'dark' }))[best].fill).toBe('#fde725');
  });

  it('marks a source without a trajectory by a ring alone', () => {
    const names = elementsOf(mapSvg(map, { source: 20 }));
    expect(names.filter((name) => name === 'circle')).toHaveLength(map.graph.nodeCount + 2);
    expect(names).not.toContain('polyline');
    expect(mapSvg(map, { source: 20, trajectory })).toBe(mapSvg(map, { trajectory }));
  });

  it('ends the scale where it is told', () => {
    const half = distribution.map((each) => each / 2);
    const fills = (values: Float64Array, options: MapPictureOptions): unknown[] =>
      circlesOf(mapSvg(map, { distribution: values, scale: 'log', ...options })).map(({ fill }) => fill);
    expect(fills(half, { largest: 0.5 })).toEqual(fills(distribution, { largest: 1 }));
    expect(fills(half, { largest: 1 })).not.toEqual(fills(distribution, { largest: 1 }));
    const flow = { senders: [0], receivers: [1], amounts: [0.5] };
    expect(mapSvg(map, { flow, largest: 1 })).toContain('fill-opacity="0.46"');
  });

  it('draws each undirected edge once', () => {
    const lines = /<path d="([^"]*)" stroke="#d5d9e0"/.exec(mapSvg(map))![1].split('M').length - 1;
    expect(lines).toBe(map.graph.edgeCount / 2);
  });

  describe('with flow', () => {
    const [a, b, c, d] = map.graph.senders.filter((sender, i, all) => all.indexOf(sender) === i);
    const cell = 100;
    // Of the last two, one leads back to its node and one is below the scale.
    const flow = { senders: [a, b, c, d, a], receivers: [b, c, d, d, c], amounts: [0.5, 0.05, 1, 0.9, 1e-5] };
    const tipOf = (node: number): string => {
      const { x, y } = circlesOf(mapSvg(map, { cell }))[node];
      return `${x} ${y}`;
    };

    it('draws a line for each edge that is seen, wider and less transparent the more flows', () => {
      const svg = mapSvg(map, { flow, scale: 'log', cell });
      elementsOf(svg);
      expect(svg.split('fill-opacity')).toHaveLength(1 + 3);
      const lines = flowsOf(svg);
      expect(lines.map(({ tip }) => tip)).toEqual([tipOf(c), tipOf(b), tipOf(d)]);
      for (const [i, amount] of [0.05, 0.5, 1].entries()) {
        const position = 1 + Math.log10(amount) / 4;
        expect(lines[i].width).toBeCloseTo(cell * (0.04 + 0.3 * position), 1);
        expect(lines[i].opacity).toBeCloseTo(0.12 + 0.68 * position, 2);
      }
    });

    it('puts it on the scale of the distribution, below the nodes', () => {
      const wide = new Float64Array(map.graph.nodeCount);
      wide[a] = 2;
      const svg = mapSvg(map, { flow, distribution: wide, cell });
      expect(flowsOf(svg).map(({ opacity }) => opacity)).toEqual([0.14, 0.29, 0.46]);
      expect(svg.lastIndexOf('fill-opacity')).toBeLessThan(svg.indexOf('<circle'));
    });

    it('draws none where nothing flows', () => {
      const none = { ...flow, amounts: [0, 0, 0, 0, 0] };
      for (const scale of ['linear', 'log'] as const)
        expect(mapSvg(map, { flow: none, scale })).toBe(mapSvg(map));
      expect(mapSvg(map, { flow: { senders: [], receivers: [], amounts: [] } })).toBe(mapSvg(map));
    });
  });

  it('draws an empty map, a single node’s trajectory and a distribution that is zero', () => {
    const empty = createGridMap({ size: 1, nodeDrop: 0, edgeDrop: 0, seed: 1 });
    elementsOf(mapSvg(empty, { distribution: [], trajectory: [], arrows: [] }));
    elementsOf(
      mapSvg(map, { trajectory: [3], distribution: new Float32Array(map.graph.nodeCount), scale: 'log' }),
    );
  });

  const wrong: [object, string][] = [
    [{ trajectory: [0, 99] }, 'mapSvg: expected trajectory[1] to be a node of the map (57 nodes), got 99'],
    [{ arrows: [{ node: -1, dx: 1, dy: 0 }] }, 'mapSvg: expected arrows[0].node to be a node of the map'],
    [{ distribution: [1] }, 'mapSvg: expected distribution of length 57 (nodes), got 1'],
    [{ stopped: [1, 0] }, 'mapSvg: expected stopped of length 57 (nodes), got 2'],
    [
      { distribution: new Float64Array(57).fill(-1) },
      'expected distribution[0] to be a number of at least 0, got -1',
    ],
    [
      { flow: { senders: [0], receivers: [1, 2], amounts: [1] } },
      'mapSvg: expected flow with senders, receivers and amounts of one length (edges), got 1, 2 and 1',
    ],
    [
      { flow: { senders: [0], receivers: [57], amounts: [1] } },
      'mapSvg: expected flow.receivers[0] to be a node of the map (57 nodes), got 57',
    ],
    [
      { flow: { senders: [0], receivers: [1], amounts: [NaN] } },
      'mapSvg: expected flow.amounts[0] to be a number of at least 0, got NaN',
    ],
    [{ source: 57 }, 'mapSvg: expected source to be a node of the map (57 nodes), got 57'],
    [{ largest: 0 }, 'mapSvg: expected largest to be a number above 0, got 0'],
    [{ theme: 'blue' }, "mapSvg: expected theme among light, dark, got 'blue'"],
    [{ scale: 'cubic', distribution }, "mapSvg: expected scale among linear, log, got 'cubic'"],
    [{ cell: 0 }, 'mapSvg: expected cell to be a number above 0, got 0'],
    [{ color: 'red' }, "got 'color'"],
  ];
  it.each(wrong)('names a wrong option: %j', (options, message) => {
    expect(() => mapSvg(map, options as MapPictureOptions)).toThrow(message);
  });
});

describe('latentArrows', () => {
  it('follow the history of a trajectory', () => {
    const arrows = latentArrows(world, { trajectory: [0, 1, 0] });
    const theta = 0.2 * Math.max(map.x[0], map.x[1]) + 0.2 * Math.max(map.y[0], map.y[1]);
    expect(arrows[2].node).toBe(0);
    expect(arrows[2].dx).toBeCloseTo(Math.cos(theta), 12);
    expect(arrows[2].dy).toBeCloseTo(Math.sin(theta), 12);
  });

  it('are there for every node at one time', () => {
    const sine = createWorld('SINE-SZ8-STP6-NDRP-STD0.5', { seed: 3 });
    const arrows = latentArrows(sine, { time: 2 });
    expect(arrows).toHaveLength(57);
    expect(arrows[5].dy).toBeCloseTo(Math.sin(2.4), 12);
  });
});

describe('scales', () => {
  it('run through viridis from dark to bright, and stay inside', () => {
    expect([0, 0.5, 1, -1, 2].map(viridis)).toEqual(['#440154', '#21918c', '#fde725', '#440154', '#fde725']);
    expect(viridis(0.05)).toBe('#461365');
  });

  it('place values linearly, or by powers of ten', () => {
    const linear = probabilityScale('linear', { end: 0.2 });
    expect([0, 0.001, 0.2, 0.1].map(linear.positionOf)).toEqual([-1, 0.005, 1, 0.5]);
    const log = probabilityScale('log');
    expect([0, 1e-6, 1e-2, 1].map(log.positionOf)).toEqual([-1, -1, 0.5, 1]);
    expect(log.ticks.map(({ label }) => label)).toEqual(['1e-4', '0.001', '0.01', '0.1', '1']);
  });
});
