import { createHopsBetween, createHopSearch, UNREACHABLE } from '@flowgrad/graph';
import type { Graph } from '@flowgrad/graph';
import { SPLIT_NAMES } from '../dataset.ts';
import type { Examples, SplitName } from '../dataset.ts';
import { EXAMPLES } from './files.ts';
import { DatasetFormatError, quoted } from './format-error.ts';
import { MANIFEST } from './manifest.ts';
import type { Naming } from './naming.ts';

type Parts = Readonly<Record<SplitName, Examples>>;

/** An example whose destination is more than so many steps from its source. */
export interface Unreachable {
  readonly split: SplitName;
  readonly example: number;
  /** How far it is; absent where no way leads there at all. */
  readonly hops?: number;
}

/**
 * Calls `onFound` with every example farther than the steps, as a model meets it: no way leads along the edges that are hidden
 * from an example. Of the others, each distinct source is searched from once.
 */
export function findUnreachable(
  graph: Graph,
  steps: number,
  parts: Parts,
  onFound: (found: Unreachable) => void,
): void {
  const report = (split: SplitName, example: number, hops: number): void =>
    onFound({ split, example, ...(hops < UNREACHABLE && { hops }) });
  const between = createHopsBetween(graph);
  const bySource = new Map<number, { split: SplitName; example: number }[]>();
  for (const split of SPLIT_NAMES) {
    const { sources, destinations, hiddenEdges } = parts[split];
    sources.forEach((source, example) => {
      const hidden = hiddenEdges?.(example) ?? [];
      if (hidden.length > 0) {
        const hops = between(source, destinations[example], { hidden });
        if (hops > steps) report(split, example, hops);
        return;
      }
      const asked = bySource.get(source);
      if (asked) asked.push({ split, example });
      else bySource.set(source, [{ split, example }]);
    });
  }
  const search = createHopSearch(graph);
  const hops = new Int32Array(graph.nodeCount);
  for (const [source, asked] of bySource) {
    const isFar = ({ split, example }: (typeof asked)[number]): boolean =>
      hops[parts[split].destinations[example]] > steps;
    search.from(source, { out: hops, maxHops: steps });
    const far = asked.filter(isFar);
    if (far.length === 0) continue;
    search.from(source, { out: hops });
    for (const { split, example } of far) report(split, example, hops[parts[split].destinations[example]]);
  }
}

/** No example is farther than the steps; the first that is, in the order of the file, is an error. */
export function expectWays(
  graph: Graph,
  steps: number,
  parts: Parts,
  lines: Readonly<Record<SplitName, Int32Array>>,
  { names }: Naming,
): void {
  let first: (Unreachable & { line: number }) | undefined;
  findUnreachable(graph, steps, parts, (found) => {
    const line = lines[found.split][found.example];
    if (first === undefined || line < first.line) first = { ...found, line };
  });
  if (first === undefined) return;
  const { sources, destinations } = parts[first.split];
  const shown = (node: number): string => (names ? quoted(names[node]) : String(node));
  const away = first.hops === undefined ? 'where no way leads' : `${first.hops} steps away`;
  throw new DatasetFormatError(
    `${EXAMPLES}:${first.line}`,
    `a destination within ${steps} steps of ${shown(sources[first.example])}`,
    `${shown(destinations[first.example])}, ${away} (more steps; or "unreachable": "kept" in ${MANIFEST})`,
  );
}
