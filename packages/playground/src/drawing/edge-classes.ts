/** Edge types as few colours: a type and its reverse are one. */

interface TypedEdges {
  readonly senders: Int32Array;
  readonly receivers: Int32Array;
  /** [edges] */
  readonly edgeTypes: Int32Array;
  readonly edgeTypeNames: readonly string[];
}

export interface EdgeClasses {
  readonly names: readonly string[];
  /** [edges] */
  readonly classes: Int32Array;
}

/** More colours are told apart by nobody. */
export const mostClasses = 8;

/** Undefined where all edges are of one class, or of more than can be told apart. */
export function edgeClasses(edges: TypedEdges): EdgeClasses | undefined {
  const { edgeTypes, edgeTypeNames } = edges;
  // Of edges without a type there are no names.
  if (edgeTypeNames.length < 2 || edgeTypeNames.length > 2 * mostClasses) return undefined;
  const reverse = reverseTypes(edges);
  const firsts = edgeTypeNames.map((_, type) => Math.min(type, reverse[type]));
  const leaders = [...new Set(firsts)];
  if (leaders.length < 2 || leaders.length > mostClasses) return undefined;
  const classOf = firsts.map((type) => leaders.indexOf(type));
  return {
    names: leaders.map((type) => sharedName(edgeTypeNames[type], edgeTypeNames[reverse[type]])),
    classes: edgeTypes.map((type) => classOf[type]),
  };
}

/** The type that leads back wherever the type leads, and the other way round; the type itself where there is none. */
function reverseTypes({ senders, receivers, edgeTypes, edgeTypeNames }: TypedEdges): number[] {
  const types = new Map<string, Set<number>>();
  const key = (from: number, to: number): string => `${from} ${to}`;
  for (let edge = 0; edge < edgeTypes.length; edge++) {
    const ends = key(senders[edge], receivers[edge]);
    types.set(ends, (types.get(ends) ?? new Set()).add(edgeTypes[edge]));
  }
  const leadsBack = edgeTypeNames.map(() => new Set(edgeTypeNames.keys()));
  for (let edge = 0; edge < edgeTypes.length; edge++) {
    const back = types.get(key(receivers[edge], senders[edge]));
    const candidates = leadsBack[edgeTypes[edge]];
    for (const type of candidates) if (!back?.has(type)) candidates.delete(type);
  }
  return edgeTypeNames.map(
    (_, type) => [...leadsBack[type]].find((other) => leadsBack[other].has(type)) ?? type,
  );
}

/** `Amber` of `Amber up` and `Amber down`. */
function sharedName(a: string, b: string): string {
  let length = 0;
  while (length < Math.min(a.length, b.length) && a[length] === b[length]) length++;
  return a.slice(0, length).trim() || a;
}
