/**
 * A walker that chooses a direction at every step, and stays for good where it chooses one that leads nowhere. What it does
 * depends on the place, on the time, and on a mode that it has in mind; all are in mode 1 at first. With
 *
 *   hᵗ_i,m = tanh(u_i + c_t + e_m),   c_t = (sin πkt/T, cos πkt/T for k = 1 … 4) W + b,
 *
 * a walker at i first changes its mode, then moves, over all edge types k that the graph has:
 *
 *   Q = softmax over m' of h W_Q + λ1[m' = m],      b_i,m' = Σ_m a_i,m Q_i,m,m';
 *   D = softmax over k of h W_D + b_D,              ã_ij,m = D_i,m,k(ij) b_i,m,      a'_j,m = Σ_i ã_ij,m;
 *   s'_i = s_i + Σ_m b_i,m Σ_k D_i,m,k over the types k of which no edge leaves i.
 *
 * Attention is a + s: nothing of it is lost. Nothing in the parameters belongs to one map, unless u has free embeddings.
 */
import type { FlowEdges, FlowPass, Step } from '@flowgrad/graph';
import { createEmbedding, createLinear, initialisers } from '@flowgrad/nn';
import {
  add,
  gather,
  mul,
  permute,
  reshape,
  rowIndex,
  scope,
  softmax,
  sum,
  tanh,
  tensor,
  zeros,
} from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { createNodeInputs } from '../parts/node-inputs.ts';
import { flowKind } from './derive-kind.ts';
import type { Model } from './model.ts';
import type { ResolvedSettings } from './settings.ts';
import { walked } from './walked.ts';
import type { Walk } from './walked.ts';

/** Waves of the clock. */
const waves = 4;
/** λ: how much a new walker clings to its mode. */
const clinging = 3;

/** What goes from step to step, of every (example, node): attention by mode [.., M], and what has stopped. */
interface Walker {
  readonly a: Tensor;
  readonly stopped: Tensor;
}

export function buildWalkerModel(name: string, settings: ResolvedSettings): Model {
  const { d, key, edgeTypeCount: types, modes } = settings;
  const inputs = createNodeInputs(settings, settings.inputs);
  const clock = createLinear({ in: 2 * waves, out: d, key: key.child('clock') });
  const mode = createEmbedding({ count: modes, d, key: key.child('mode'), w: initialisers.glorotUniform() });
  const move = createLinear({ in: d, out: types, key: key.child('move') });
  const change = modes > 1 ? createLinear({ in: d, out: modes, key: key.child('change') }) : undefined;

  const walk = (pass: FlowPass, u: Tensor): Walk => {
    const T = pass.steps.length;
    const times = clock.apply(timeFeatures(T));
    /** [rows, 1, d] */
    const place = reshape(pass.start.ofNodes(u), [-1, 1, d]);
    /** [rows, types]: types of which no edge leaves the node. */
    const missing = pass.start.ofNodes(pass.missing());

    const step = (now: Walker, edges: Step<FlowEdges>, t: number): { next: Walker; flow: Tensor } => {
      // hᵗ_i,m, a row for each place and mode
      const time = reshape(gather(times, rowIndex([t], T)), [1, 1, d]);
      const h = tanh(add(add(place, time), reshape(mode.w, [1, modes, d])));
      const rows = h.shape[0];
      const each = reshape(h, [rows * modes, d]);
      // b_i,m' = Σ_m a_i,m Q_i,m,m'
      const Q = change && softmax(add(reshape(change.apply(each), [rows, modes, modes]), clings(modes)), 2);
      const b = Q ? edges.through(Q, now.a) : now.a;
      // ã_ij,m = D_i,m,k(ij) b_i,m
      const D = reshape(softmax(move.apply(each), 1), [rows, modes, types]);
      const flow = edges.action(permute(D, [0, 2, 1])).times(edges.attention(b));
      const stops = sum(mul(D, reshape(missing, [rows, 1, types])), 2);
      return {
        next: { a: edges.focus(flow), stopped: add(now.stopped, sum(mul(b, edges.attended(stops)), 1)) },
        flow: edges.flowing(flow),
      };
    };

    const [entries] = pass.attention.shape;
    let now: Walker = {
      a: mul(reshape(pass.attention, [entries, 1]), firstOf(modes)),
      stopped: zeros([entries]),
    };
    const walkers = [now];
    const flows: Tensor[] = [];
    for (const [t, edges] of pass.steps.entries()) {
      const { next, flow } = scope(() => step(now, edges, t), `${name} step`);
      now = next;
      walkers.push(now);
      flows.push(flow);
    }
    return {
      attention: (t) => add(sum(walkers[t].a, 1), walkers[t].stopped),
      stopped: (t) => walkers[t].stopped,
      flow: (t) => sum(flows[t], 1),
    };
  };

  const kind = flowKind({ edgeTypeCount: types, d, hasGlobal: false }, walk);
  const { weightDecay } = settings;
  const modules = { ...inputs.modules, clock, mode, move, ...(change && { change }) };
  const common = walked({ name, kind, settings, inputs, weightDecay, options: {} }, walk);
  return { name, kind, ...modules, ...common };
}

/** [T, 2 · waves] */
function timeFeatures(T: number): Tensor {
  const wave = (t: number, k: number): number[] => {
    const angle = (Math.PI * (k + 1) * t) / T;
    return [Math.sin(angle), Math.cos(angle)];
  };
  return tensor(
    Array.from({ length: T }, (_, t) => Array.from({ length: waves }, (_, k) => wave(t, k)).flat()),
  );
}

/** [1, modes] */
const firstOf = (modes: number): Tensor => tensor([Array.from({ length: modes }, (_, m) => Number(m === 0))]);

/** [1, modes, modes] λ1[m' = m] */
const clings = (modes: number): Tensor =>
  tensor([
    Array.from({ length: modes }, (_, m) =>
      Array.from({ length: modes }, (_, other) => (other === m ? clinging : 0)),
    ),
  ]);
