/** Queries that are edge types: the edges that would tell the answer of an example. */
import type { Graph } from '@flowgrad/graph';
import type { Examples } from './dataset.ts';

/** What the inverse of an edge type is called: `parent^-1`. */
export const INVERSE = '^-1';

/** `parent` → `parent^-1`, and back. */
export const inverseName = (type: string): string =>
  type.endsWith(INVERSE) ? type.slice(0, -INVERSE.length) : type + INVERSE;

/** The edge of the type that is asked for, from source to destination, and its inverse, as far as the graph has them. */
export function hiddenEdgesOf(
  { bySender, receivers, edgeTypes }: Graph,
  typeNames: readonly string[],
  { sources, destinations, queries }: Pick<Examples, 'sources' | 'destinations' | 'queries'>,
): (example: number) => readonly number[] {
  const inverseOf = typeNames.map((name) => typeNames.indexOf(inverseName(name)));
  const { offsets, permutation } = bySender;
  const edgesOf = (from: number, to: number, type: number): number[] => {
    const found: number[] = [];
    for (let i = offsets[from]; i < offsets[from + 1]; i++) {
      const edge = permutation[i];
      if (receivers[edge] === to && edgeTypes[edge] === type) found.push(edge);
    }
    return found;
  };
  return (example) => {
    if (!queries) return [];
    const [source, destination, type] = [sources[example], destinations[example], queries[example]];
    return [...edgesOf(source, destination, type), ...edgesOf(destination, source, inverseOf[type])];
  };
}
