/** The attended part of a graph: all that its picture needs, so that a report is drawn without the dataset. */
import * as v from 'valibot';

/** How many questions a run keeps, and how much of the graph for each: what a person can read. */
export const mostQuestions = 3;
export const mostNodes = 24;
export const mostEdges = 60;
/** Longer names are cut when they are kept. */
export const longestName = 100;

/** Pictures are that much wider than high. */
export const aspect = 1.5;

/** What attention.json has to say of them. A function, so that a page that checks none carries none of it. */
export function attendedSchema() {
  const number = v.pipe(v.number(), v.finite());
  const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
  const name = v.pipe(v.string(), v.maxLength(longestName));
  const place = v.pipe(count, v.maxValue(mostNodes - 1));

  const part = v.pipe(
    v.object({
      /** What was asked, by its name; of datasets that ask. */
      query: v.exactOptional(name),
      /** The source first; `x` and `y` lie in 0 … 1 of the picture, and y points up. */
      nodes: v.pipe(
        v.array(v.object({ name, x: number, y: number, attention: number })),
        v.minLength(1),
        v.maxLength(mostNodes),
      ),
      /** By places in `nodes`; `flow` is the flowing attention on the edge. */
      edges: v.pipe(
        v.array(v.object({ from: place, to: place, type: name, flow: number })),
        v.maxLength(mostEdges),
      ),
      /** The true destination, where it is known. */
      destination: v.exactOptional(place),
      /** Of the destination among all nodes, by score; filtered, without what else is true. Ties count as their mean. */
      rank: v.exactOptional(v.object({ raw: number, filtered: number })),
      /** The likeliest way from the source to the destination: places in `nodes`, edge types between them, its probability. */
      way: v.exactOptional(v.object({ nodes: v.array(place), types: v.array(name), share: number })),
      /** The best answers with their scores, best first. */
      answers: v.pipe(v.array(v.tuple([name, number])), v.maxLength(3)),
      /** How many nodes with visible attention are not among those shown. */
      leftOut: count,
    }),
    v.check(({ nodes, edges, destination = 0, way }) =>
      [destination, ...edges.flatMap(({ from, to }) => [from, to]), ...(way?.nodes ?? [])].every(
        (place) => place < nodes.length,
      ),
    ),
    v.check(({ way }) => way === undefined || way.nodes.length === way.types.length + 1),
  );

  return v.pipe(v.array(part), v.maxLength(mostQuestions));
}
