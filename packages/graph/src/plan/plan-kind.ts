import { expectOneOf, rejectUnknownOptions } from '@flowgrad/tensor';

/** What plans need to know of a model: what its states depend on. */
export interface PlanKind {
  /**
   * How an example gets into the states:
   * - `shared`: not at all. Attention flows, and acts on nothing.
   * - `acted`: attention flows, and acts on messages.
   * - `marked`: by a mark on the source at t = 0. No attention flows.
   * - `global`: through a global state, which every node reads; attention flows.
   * - `markedGlobal`: by a mark on the source and a global state; no attention flows.
   */
  readonly states: 'shared' | 'acted' | 'marked' | 'global' | 'markedGlobal';
  /**
   * What a message reads of the states: nothing, as there are none; its sender's; those of both ends; or those of
   * the sender and of all its receivers (`siblings`), as with a softmax over the sender's outgoing edges.
   */
  readonly messages: 'none' | 'sender' | 'ends' | 'siblings';
}

const choices = {
  states: ['shared', 'acted', 'marked', 'global', 'markedGlobal'],
  messages: ['none', 'sender', 'ends', 'siblings'],
} as const;

export function checkKind(where: string, kind: PlanKind): void {
  rejectUnknownOptions(`${where}.kind`, kind, Object.keys(choices));
  for (const [name, known] of Object.entries(choices)) {
    expectOneOf(where, `kind.${name}`, kind[name as keyof PlanKind], known);
  }
  if (kind.messages === 'none' && kind.states !== 'shared' && kind.states !== 'global') {
    throw new TypeError(`${where}: expected messages for states that are ${kind.states}, got none`);
  }
}

/** Whether attention flows explicitly. */
export function hasFlow({ states }: PlanKind): boolean {
  return states !== 'marked' && states !== 'markedGlobal';
}

/** Whether there is a global state, so that every row belongs to an example. */
export function isGlobal({ states }: PlanKind): boolean {
  return states === 'global' || states === 'markedGlobal';
}

/** Whether a state depends on all others at once: a global state reads the messages or the states of all nodes. */
export function couplesAll(kind: PlanKind): boolean {
  return isGlobal(kind) && kind.messages !== 'none';
}
