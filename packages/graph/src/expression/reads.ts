/** What messages depend on, found in what they are made of. */
import type { EdgeExpression, End } from './edge-expression.ts';
import { withoutAttention } from './rewrite.ts';

/** What an expression is directly made of. */
function childrenOf({ term }: EdgeExpression): readonly EdgeExpression[] {
  switch (term.kind) {
    case 'read':
    case 'action':
    case 'constant':
      return [];
    case 'typed':
      return term.parts;
    case 'dotTyped':
      return [term.sender, term.receiver];
    case 'plus':
    case 'times':
      return [term.left, term.right];
    default:
      return [term.x];
  }
}

/** The ends that an expression reads; in a softmax over a sender's edges, the receiver's are those of all its receivers. */
function endsIn(x: EdgeExpression, siblings = false): readonly (End | 'siblings')[] {
  const { term } = x;
  if (term.kind === 'read') return [siblings && term.end === 'receiver' ? 'siblings' : term.end];
  if (term.kind === 'action') return ['sender'];
  const among = siblings || (term.kind === 'softmax' && term.over === 'sender');
  return childrenOf(x).flatMap((child) => endsIn(child, among));
}

/** Whether edges have values of their own in it, and no softmax needs them side by side with their siblings. */
export function readsEdgesAlone(x: EdgeExpression): boolean {
  return endsIn(x).includes('edge') && !hasSoftmax(x);
}

function hasSoftmax(x: EdgeExpression): boolean {
  return x.term.kind === 'softmax' || childrenOf(x).some(hasSoftmax);
}

/** What one message needs to know, beside its type. */
export interface MessageReads {
  /** Of the states: its sender's, both ends', or the sender's and all its receivers'. */
  readonly states: 'sender' | 'ends' | 'siblings';
  /** Whether the flow of attention acts on it. */
  readonly attention: boolean;
  /** Whether it is the same for all edges where no attention flows. */
  readonly isSilent: boolean;
  /** Whether it reads the global state of its example. */
  readonly example: boolean;
}

/** What messages read. The flow of attention depends on the states of siblings too, but only where there is some. */
export function readsOf(messages: EdgeExpression): MessageReads {
  const ends = new Set(endsIn(withoutFlow(messages)));
  return {
    states: ends.has('siblings') ? 'siblings' : ends.has('receiver') ? 'ends' : 'sender',
    attention: endsIn(messages).includes('attention'),
    isSilent: withoutAttention(messages) !== undefined,
    example: ends.has('example'),
  };
}

/** The expression with every factor left out that is itself a product with attention, such as ã = T·a. */
function withoutFlow(x: EdgeExpression): EdgeExpression {
  const { term } = x;
  switch (term.kind) {
    case 'map':
      return withoutFlow(term.x).map(term.fn, x.shape);
    case 'linear':
      return withoutFlow(term.x).linear(term.layer);
    case 'plus':
      return withoutFlow(term.left).plus(withoutFlow(term.right));
    case 'times': {
      if (isFlow(term.left)) return withoutFlow(term.right);
      if (isFlow(term.right)) return withoutFlow(term.left);
      return withoutFlow(term.left).times(withoutFlow(term.right));
    }
    default:
      return x;
  }
}

/** Whether an expression is attention, a multiple of it, or a sum of such. */
function isFlow({ term, shape }: EdgeExpression): boolean {
  if (shape.length > 0) return false;
  if (term.kind === 'read') return term.end === 'attention';
  if (term.kind === 'plus') return isFlow(term.left) && isFlow(term.right);
  return term.kind === 'times' && (isFlow(term.left) || isFlow(term.right));
}
