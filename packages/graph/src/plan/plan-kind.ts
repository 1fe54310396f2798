import { expectOneOf, rejectUnknownOptions } from '@flowgrad/tensor';

/** What plans need to know of a model: how an example gets into the states, and what messages read. */
export interface PlanKind {
  /** Attention flows from node to node, all of it on the source at first. Else the source bears a mark. */
  readonly flow: boolean;
  /** Attention acts on messages, so that states depend on where it has been. */
  readonly acts: boolean;
  /** There is a global state for each example, which every node reads. */
  readonly global: boolean;
  /**
   * What a message reads of the states: nothing, as there are none; its sender's; those of both ends; or those of
   * the sender and of all its receivers (`siblings`), as with a softmax over the sender's outgoing edges.
   */
  readonly reads: 'nothing' | 'sender' | 'ends' | 'siblings';
  /** Examples carry a query, which transitions read: no two examples share them. False unless given. */
  readonly asks?: boolean;
}

const choices = ['nothing', 'sender', 'ends', 'siblings'] as const;

export function checkKind(where: string, kind: PlanKind): void {
  rejectUnknownOptions(`${where}.kind`, kind, ['flow', 'acts', 'global', 'reads', 'asks']);
  for (const name of ['flow', 'acts', 'global'] as const) {
    if (typeof kind[name] === 'boolean') continue;
    throw new TypeError(`${where}: expected kind.${name} to be true or false, got '${String(kind[name])}'`);
  }
  expectOneOf(where, 'kind.reads', kind.reads, choices);
  if (kind.acts && (!kind.flow || kind.reads === 'nothing')) {
    const missing = kind.flow ? 'messages' : 'flow';
    throw new TypeError(`${where}: expected ${missing} for attention that acts on messages, got none`);
  }
  if (!kind.flow && kind.reads === 'nothing') {
    throw new TypeError(`${where}: expected messages that carry the mark of the source, got none`);
  }
}

/**
 * Whether all plans of a kind are dense: messages that need no attention bring an example's global state, or what its source
 * is asked, into every state.
 */
export function isAlwaysDense({ global, asks = false, acts, reads }: PlanKind): boolean {
  return (global || asks) && !acts && reads !== 'nothing';
}

/** Whether nothing of an example gets into the states, and none asks: all examples share them then, and transitions too. */
export function sharesTransitions({ flow, acts, global, asks = false }: PlanKind): boolean {
  return flow && !acts && !global && !asks;
}

/** `flow, acts, reads sender`: as errors name a kind. */
export function showKind({ reads, ...words }: PlanKind): string {
  const said = Object.entries(words).flatMap(([name, value]) => (value ? [name] : []));
  return [...(words.flow ? [] : ['mark']), ...said, `reads ${reads}`].join(', ');
}
