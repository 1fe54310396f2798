import type { Dataset, Examples } from './dataset.ts';
import { SPLIT_NAMES } from './dataset.ts';

/** Source and query → every destination that some part of the dataset has for them: what the filtered ranking leaves out. */
export function trueDestinations(
  dataset: Pick<Dataset, 'examples' | 'alsoTrue'>,
): (source: number, query?: number) => Iterable<number> {
  const found = made.get(dataset) ?? collected(dataset);
  made.set(dataset, found);
  return found;
}

type Answered = Pick<Dataset, 'examples' | 'alsoTrue'>;
type TrueDestinations = (source: number, query?: number) => Iterable<number>;

/** A dataset is asked at every epoch. */
const made = new WeakMap<Answered, TrueDestinations>();

function collected({ examples, alsoTrue }: Answered): TrueDestinations {
  const known = new Map<number, Map<number, Set<number>>>();
  const add = ({ count, sources, destinations, queries }: Examples): void => {
    for (let i = 0; i < count; i++) {
      const ofQuery = entryOf(known, queries?.[i] ?? 0, () => new Map<number, Set<number>>());
      entryOf(ofQuery, sources[i], () => new Set<number>()).add(destinations[i]);
    }
  };
  for (const split of SPLIT_NAMES) add(examples[split]);
  if (alsoTrue) add(alsoTrue);
  return (source, query = 0) => known.get(query)?.get(source) ?? [];
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const found = map.get(key) ?? create();
  map.set(key, found);
  return found;
}
