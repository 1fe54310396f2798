/** The shipped example that is no grid: a transit network of an invented city, and rides on it. `public/transit` has its files. */
import { RandomStream } from '@flowgrad/data';
import type { Dataset, Examples } from '@flowgrad/data';
import { createGraph } from '@flowgrad/graph';

const SEED = 7;
/** Streams of `RandomStream`, one for each purpose. */
const streams = { places: 101, attractions: 102, rides: 103, split: 104 };
const STEPS = 10;
const ridesPerStop = 10;

/** Where lines meet or end, in hundreds of metres from the middle of the city; y points to the north. */
const hubs = {
  ...{ K: [0, 0], I0: [14, 4], I1: [-3, 13], I2: [-14, -5], I3: [4, -14] },
  ...{
    R0: [33, 0],
    R1: [24, 23],
    R2: [0, 32],
    R3: [-24, 22],
    R4: [-34, 0],
    R5: [-23, -24],
    R6: [1, -33],
    R7: [24, -23],
  },
  ...{ O0: [86, 6], O1: [66, 38], O2: [44, 68], O3: [4, 82], O4: [-42, 64], O5: [-70, 40] },
  ...{ O6: [-90, -4], O7: [-64, -44], O8: [-38, -72], O9: [-4, -84], O10: [40, -66], O11: [72, -40] },
} as const satisfies Record<string, readonly [x: number, y: number]>;
type Hub = keyof typeof hubs;

/** By hubs in the order of the direction that is called up; the other one is down. */
const lines: Readonly<Record<string, readonly Hub[]>> = {
  Amber: ['O0', 'R0', 'I0', 'K', 'I2', 'R4', 'O6'],
  Birch: ['O3', 'R2', 'I1', 'K', 'I3', 'R6', 'O9'],
  Cobalt: ['O1', 'R1', 'I0', 'I1', 'R3', 'O5'],
  Dune: ['O7', 'R5', 'I2', 'I3', 'R7', 'O11'],
  Elm: ['O2', 'R1', 'K', 'R5', 'O8'],
  Fern: ['O4', 'R3', 'K', 'R7', 'O10'],
  Garnet: ['R0', 'R1', 'R2', 'R3', 'R4', 'R5', 'R6', 'R7', 'R0'],
};
/** Between two stops, about; and how far one lies beside the straight line at most. */
const [spacing, aside] = [7.5, 2.4];

const firstWords =
  'Alder Brass Copper Dover Ebony Foxglove Gable Harbour Ivory Juniper Kestrel Linden Mallow'.split(' ');
const lastWords = 'Bridge Cross Fields Gate Green Hill Lane Mill Park Quay Square Wharf Yard'.split(' ');

/** Made anew, always the same: text and sums alone, no function that differs from machine to machine. */
export function transitDataset(): Dataset {
  const { positions, ways } = layLines();
  const nodeCount = positions.length;
  const lineNames = Object.keys(lines);
  const edges = ways.flatMap((stops, line) =>
    stops.slice(1).flatMap((stop, i) => [
      { from: stops[i], to: stop, type: 2 * line },
      { from: stop, to: stops[i], type: 2 * line + 1 },
    ]),
  );
  const graph = createGraph({
    nodeCount,
    senders: edges.map(({ from }) => from),
    receivers: edges.map(({ to }) => to),
    edgeTypes: edges.map(({ type }) => type),
    edgeTypeCount: 2 * lineNames.length,
  });
  return {
    name: 'transit',
    graph,
    steps: STEPS,
    examples: splitRides(ridesOn(edges, nodeCount)),
    nodeNames: namesOf(nodeCount),
    edgeTypeNames: lineNames.flatMap((name) => [`${name} up`, `${name} down`]),
    positions: { x: positions.map(([x]) => x), y: positions.map(([, y]) => y) },
  };
}

/** Hubs, and stops at equal distances between them; stops of a line in the order of its way. */
function layLines() {
  const random = new RandomStream(SEED, streams.places);
  const positions: (readonly [number, number])[] = [];
  const stopOf = new Map<Hub, number>();
  const place = (x: number, y: number): number => positions.push([x, y]) - 1;
  const hubAt = (hub: Hub): number => {
    const known = stopOf.get(hub) ?? place(...hubs[hub]);
    stopOf.set(hub, known);
    return known;
  };
  const ways = Object.values(lines).map((line) =>
    line.flatMap((hub, i) => {
      const here = hubAt(hub);
      if (i + 1 === line.length) return [here];
      const [[x, y], [toX, toY]] = [hubs[hub], hubs[line[i + 1]]];
      const [alongX, alongY] = [toX - x, toY - y];
      const length = Math.sqrt(alongX * alongX + alongY * alongY);
      const count = Math.max(0, Math.round(length / spacing) - 1);
      const bend = (random.below(201) / 100 - 1) * aside;
      const between = Array.from({ length: count }, (_, k) => {
        const share = (k + 1) / (count + 1);
        // A bow of a parabola to one side.
        const off = (4 * share * (1 - share) * bend) / length;
        return place(tenths(x + share * alongX - off * alongY), tenths(y + share * alongY + off * alongX));
      });
      return [here, ...between];
    }),
  );
  return { positions, ways };
}

const tenths = (value: number): number => Math.round(value * 10) / 10;

/** Every pair of words once, in an order that does not show how they were made. */
function namesOf(count: number): string[] {
  const all = firstWords.flatMap((first) => lastWords.map((last) => `${first} ${last}`));
  return Array.from(
    new RandomStream(SEED, streams.places, 1).permutation(all.length).subarray(0, count),
    (i) => all[i],
  );
}

interface Edge {
  readonly from: number;
  readonly to: number;
  /** 2 · line up, 2 · line + 1 down. */
  readonly type: number;
}

/**
 * Riders board towards where much attracts them, stay on their line, change where lines meet now and then, and get off the
 * likelier the more a stop attracts. So where a ride ends depends on the line it came by: a walk with a memory.
 */
function ridesOn(edges: readonly Edge[], nodeCount: number): number[][] {
  const attraction = attractionsOf(edges, nodeCount);
  const random = new RandomStream(SEED, streams.rides);
  const draw = (weights: readonly number[]): number => {
    const sum = weights.reduce((a, b) => a + b, 0);
    let rest = (random.below(1 << 24) / (1 << 24)) * sum;
    return Math.max(
      0,
      weights.findIndex((weight) => (rest -= weight) < 0),
    );
  };
  const out = Array.from({ length: nodeCount }, (_, stop) => edges.filter(({ from }) => from === stop));
  const goesOn = ({ to, type }: Edge, from: number): Edge | undefined =>
    out[to].find((next) => next.type === type && next.to !== from);
  /** What lies ahead on the line, the nearer the more. */
  const ahead = (edge: Edge | undefined, left: number): number =>
    edge && left > 0 ? attraction[edge.to] + 0.8 * ahead(goesOn(edge, edge.from), left - 1) : 0;

  const ride = (source: number): number[] => {
    const path = [source];
    let edge: Edge | undefined = out[source][draw(out[source].map((each) => ahead(each, STEPS) ** 2))];
    while (edge) {
      const { to, from }: Edge = edge;
      path.push(to);
      if (path.length > STEPS) return path;
      const line: Edge | undefined = goesOn(edge, from);
      const changes: Edge[] = out[to].filter(
        ({ type, to: next }) => type >> 1 !== edge!.type >> 1 && next !== from,
      );
      const choices = [line, ...changes];
      const left = STEPS + 1 - path.length;
      const weights = choices.map((each, i) => (i === 0 ? 1 : 0.12) * ahead(each, left));
      const chosen = draw([2.2 * attraction[to], ...weights]);
      edge = chosen === 0 ? undefined : choices[chosen - 1];
    }
    return path;
  };
  return Array.from({ length: nodeCount * ridesPerStop }, (_, i) => ride(Math.floor(i / ridesPerStop)));
}

/** The more lines, the more; some stops have a school or a hospital, which nothing else tells. */
function attractionsOf(edges: readonly Edge[], nodeCount: number): number[] {
  const random = new RandomStream(SEED, streams.attractions);
  return Array.from({ length: nodeCount }, (_, stop) => {
    const count = new Set(edges.filter(({ from }) => from === stop).map(({ type }) => type >> 1)).size;
    const own = random.below(6) === 0 ? 6 : 0;
    return 0.4 + own + 2 * (count - 1) ** 2;
  });
}

/** 8 of 10 rides to train, one to validate, one to test. */
function splitRides(rides: readonly number[][]): Dataset['examples'] {
  const order = Array.from(new RandomStream(SEED, streams.split).permutation(rides.length), (i) => rides[i]);
  const [first, second] = [0.8, 0.9].map((share) => Math.round(share * rides.length));
  return {
    train: examplesOf(order.slice(0, first)),
    valid: examplesOf(order.slice(first, second)),
    test: examplesOf(order.slice(second)),
  };
}

const examplesOf = (rides: readonly number[][]): Examples => ({
  count: rides.length,
  sources: Int32Array.from(rides, ([source]) => source),
  destinations: Int32Array.from(rides, (ride) => ride[ride.length - 1]),
  path: (ride) => Int32Array.from(rides[ride]),
});
