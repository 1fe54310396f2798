/** The attended part of a dataset's graph, for the pictures of reports and of `flowgrad show`. */
import { rankOf, trueDestinations } from '@flowgrad/data';
import type { Dataset, SharedRank } from '@flowgrad/data';
import type { Graph } from '@flowgrad/graph';
import { longestName, mostEdges, mostNodes } from '../run/attended-part.ts';
import type { AttendedPart } from '../run/run-record.ts';
import type { Prediction } from '../training/predict.ts';
import { likeliestWay } from './likeliest-way.ts';
import { givenPlaces, laidOut } from './place-nodes.ts';

/** Less than that is not drawn. */
const visible = 1e-3;

/** What is drawn beside the prediction itself. */
export interface AttendedOptions {
  /** The true answer, which is always among the nodes. */
  readonly destination?: number | undefined;
  /** The attention of one time, and the flow that brought it there; the most at any time unless given. */
  readonly step?: number | undefined;
}

/**
 * The most attended nodes, at most `mostNodes`, always with the source, the destination and the way between them; and
 * the edges among them along which most attention flows. `graph` is the model's, with self-loops; the prediction has the
 * flowing attention. Which nodes there are, and where, is the same for every step. Undefined for regular networks.
 */
export function attendedPart(
  dataset: Dataset,
  graph: Graph,
  { source, query, scores, attention }: Prediction,
  { destination, step }: AttendedOptions = {},
): AttendedPart | undefined {
  if (!attention?.flowing) return undefined;
  const { focused, flowing } = attention;
  const nameOf = (node: number): string => cut(dataset.nodeNames?.[node] ?? String(node));
  const typeOf = (edge: number): string => {
    const type = graph.edgeTypes[edge];
    return cut(dataset.edgeTypeNames?.[type] ?? String(type));
  };
  const way = destination === undefined ? undefined : likeliestWay(graph, attention, source, destination);
  const onWay = way ? [source, ...way.edges.map((edge) => graph.receivers[edge])] : [source];
  const belt = mostOf(focused);
  const attended = byValue(belt).filter((node) => belt[node] >= visible);
  const answer = destination === undefined ? [] : [destination];
  // A way has as many nodes as there are steps, which may be more than can be drawn.
  const nodes = [...new Set([source, ...answer, ...onWay, ...attended])].slice(0, mostNodes);
  const placeOf = new Map(nodes.map((node, place) => [node, place]));

  const most = mostOf(flowing);
  const isShown = (edge: number): boolean => {
    const [from, to] = [graph.senders[edge], graph.receivers[edge]];
    return from !== to && placeOf.has(from) && placeOf.has(to);
  };
  const flown = byValue(most).filter((edge) => most[edge] >= visible && isShown(edge));
  const ofWay = way?.edges.filter(isShown) ?? [];
  // That by which most comes to a node, so that none hangs in the air that need not.
  const comesBy = new Map(flown.toReversed().map((edge) => [graph.receivers[edge], edge]));
  const edges = [...new Set([...ofWay, ...comesBy.values(), ...flown])].slice(0, mostEdges);
  const links = edges.map((edge) => ({
    from: placeOf.get(graph.senders[edge])!,
    to: placeOf.get(graph.receivers[edge])!,
  }));
  const places = dataset.positions ? givenPlaces(dataset.positions, nodes) : laidOut(nodes.length, links);
  const attentionNow = step === undefined ? belt : focused[step];
  const flowNow = step === undefined ? most : flowing[step - 1];
  const isWayShown = onWay.every((node) => placeOf.has(node));
  return {
    ...(query !== undefined && { query: cut(dataset.queryNames?.[query] ?? String(query)) }),
    nodes: nodes.map((node, place) => ({
      name: nameOf(node),
      ...places[place],
      attention: fourDigits(attentionNow[node]),
    })),
    edges: edges.map((edge, i) => ({
      ...links[i],
      type: typeOf(edge),
      flow: fourDigits(flowNow?.[edge] ?? 0),
    })),
    ...(destination !== undefined && {
      destination: placeOf.get(destination)!,
      rank: {
        raw: meanRank(rankOf(scores, destination)),
        filtered: meanRank(rankOf(scores, destination, trueDestinations(dataset)(source, query))),
      },
    }),
    ...(way &&
      isWayShown && {
        way: {
          nodes: onWay.map((node) => placeOf.get(node)!),
          types: way.edges.map(typeOf),
          share: fourDigits(way.share),
        },
      }),
    answers: byValue(scores)
      .slice(0, 3)
      .map((node): [string, number] => [nameOf(node), fourDigits(scores[node])]),
    leftOut: attended.filter((node) => !placeOf.has(node)).length,
  };
}

const meanRank = ({ first, last }: SharedRank): number => (first + last) / 2;
/** As many as files keep. */
export const fourDigits = (value: number): number => Number(value.toPrecision(4));
/** Not in the middle of a character that takes two units. */
const cut = (name: string): string =>
  name.length <= longestName ? name : `${name.slice(0, longestName - 1).replace(/[\ud800-\udbff]$/, '')}…`;

/** Of each entry the most at any step. */
function mostOf(steps: readonly Float32Array[]): Float32Array {
  return steps[0].map((_, i) => steps.reduce((most, step) => Math.max(most, step[i]), 0));
}

/** Indices, the largest value first; of equals the first. */
function byValue(values: Float32Array): number[] {
  return Array.from(values.keys()).sort((a, b) => values[b] - values[a] || a - b);
}
