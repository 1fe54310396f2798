/**
 * A walker that chooses an edge type at every step, and stays for good where it chooses one that leads nowhere. What it does
 * depends on the place, on the time, and on what it has seen on its way:
 *
 *   hᵗ_i = tanh(u_i + c_t + rᵗ_i R + b_R),   c_t = (sin πkt/T, cos πkt/T for k = 1 … `clock`) W + b,
 *   l_ij = (h_i W_D + b_D)_k(ij),      l_ii = log Σ_k e^(h_i W_D + b_D)_k over the types k of which no edge leaves i.
 *
 * T is the softmax of l over the outgoing edges, which is one over all edge types; attention moves by it and stops on
 * self-loops, see `parts/onward.ts`. What there is to see at i is v_i = u_i V + b_V, and a walker keeps the most it has seen:
 *
 *   r⁰_i = v_i,   r'_j = Σ ã_ij max(r_i, v_j) / Σ ã_ij over i ≠ j,
 *
 * a mean over those who arrive. Whatever can be said of a set of places can be said by maxima of features of single places,
 * so that nothing about a world is built in. A walker without a clock has no c, one without memory no r. Nothing in the parameters belongs to one map, unless u has free embeddings.
 */
import { softmaxOut, sumIn } from '@flowgrad/graph';
import type { EdgeExpression, FlowEdges, FlowPass, StateRows, Step } from '@flowgrad/graph';
import { createLinear } from '@flowgrad/nn';
import {
  add,
  concat,
  div,
  gather,
  mul,
  ones,
  relu,
  reshape,
  rowIndex,
  scope,
  split,
  sqrt,
  square,
  sub,
  sum,
  tanh,
} from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { createNodeInputs } from '../parts/node-inputs.ts';
import { missingIn, stopsOnLoops } from '../parts/onward.ts';
import type { Focus } from '../parts/onward.ts';
import { timeFeatures } from '../parts/time-features.ts';
import { flowKind } from './derive-kind.ts';
import type { Model } from './model.ts';
import type { ResolvedSettings } from './settings.ts';
import { walkAlong, walked } from './walked.ts';
import type { Walk } from './walked.ts';

/** Less attention than this remembers nothing. */
const least = 1e-12;

/** What goes from step to step. */
interface Walker {
  readonly focus: Focus;
  readonly rows: StateRows;
  /** r [rows, memory]; of walkers that remember. */
  readonly seen?: Tensor;
}

export function buildWalkerModel(name: string, settings: ResolvedSettings): Model {
  const { d, key, edgeTypeCount, memory, clock: waves } = settings;
  /** All but that of the self-loops, which is the last. */
  const types = edgeTypeCount - 1;
  const inputs = createNodeInputs(settings, settings.inputs);
  const clock = waves > 0 ? createLinear({ in: 2 * waves, out: d, key: key.child('clock') }) : undefined;
  const move = createLinear({ in: d, out: types, key: key.child('move') });
  const remembering =
    memory > 0
      ? {
          see: createLinear({ in: d, out: memory, key: key.child('see') }),
          recall: createLinear({ in: memory, out: d, key: key.child('recall') }),
        }
      : undefined;

  const walk = (pass: FlowPass, u: Tensor): Walk => {
    const T = pass.length;
    const times = clock?.apply(timeFeatures(T, waves));
    const goes = stopsOnLoops(pass, edgeTypeCount);
    const ofMissing = missingIn(pass, edgeTypeCount);
    const sights = remembering?.see.apply(u);

    /** r'_j = Σ ã_ij max(r_i, v_j) / Σ ã_ij */
    const remembered = (edges: FlowEdges, moving: EdgeExpression, seen: Tensor, sight: Tensor) => {
      const { sender, receiver } = edges;
      // max(r, v) = v + relu(r − v); of the last channel, which is 1, the sum is that of ã.
      const [r, v] = [withOne(seen), withOne(sight)];
      const most = receiver(v).plus(
        sender(r)
          .plus(receiver(sub(0, v)))
          .map(relu),
      );
      const [total, weight] = split(sumIn(most.times(moving)), [memory, 1], 1);
      return div(total, add(weight, least));
    };

    const step = (now: Walker, edges: Step<FlowEdges>, t: number): { next: Walker; flow: Tensor } => {
      const { rows, seen, focus } = now;
      const terms = [
        rows.ofNodes(u),
        ...(times ? [reshape(gather(times, rowIndex([t], T)), [1, d])] : []),
        ...(seen && remembering ? [remembering.recall.apply(seen)] : []),
      ];
      const h = tanh(terms.reduce(add));
      const scores = move.apply(h);
      const logits = edges.action(concat([scores, ofMissing(scores, rows)], 1));
      const flow = goes.flow(edges, softmaxOut(logits), focus);
      const { after = rows } = edges;
      const next = {
        focus: goes.next(edges, flow),
        rows: after,
        ...(seen &&
          sights &&
          edges.after && { seen: remembered(edges, goes.moving(edges, flow), seen, rows.ofNodes(sights)) }),
      };
      return { next, flow: edges.flowing(flow) };
    };

    const start: Walker = {
      focus: goes.start,
      rows: pass.start,
      ...(sights && { seen: pass.start.ofNodes(sights) }),
    };
    return walkAlong(name, pass, start, step);
  };

  const kind = flowKind({ edgeTypeCount, d, hasGlobal: false }, walk);
  const { weightDecay } = settings;
  const modules = { ...inputs.modules, ...(clock && { clock }), move, ...remembering };
  const common = walked({ name, kind, settings, inputs, weightDecay, options: {} }, walk);
  const sights =
    remembering &&
    (() =>
      scope(() => mul(remembering.see.apply(inputs.nodes()), lengthsOf(remembering.recall.w)), 'sights'));
  return { name, kind, ...modules, ...common, ...(sights && { sights }) };
}

/** [n, d] → [n], the length of each row */
const lengthsOf = (x: Tensor): Tensor => sqrt(sum(square(x), 1));

/** [rows, n] → [rows, n + 1], the last of them 1 */
const withOne = (x: Tensor): Tensor => concat([x, ones([x.shape[0], 1])], 1);
