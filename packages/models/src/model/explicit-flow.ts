/**
 * Models whose attention flows explicitly:
 *
 *   ã_ij = T_ij a_i,   a'_j = Σ_i ã_ij,   all attention on the source at first.
 *
 * Random walks and remodelled graph networks are one loop; they differ in the parts they have.
 */
import type { Plan, PlanFlow, PlanKind, PlanRows, PlanStep } from '@flowgrad/graph';
import { createLinear } from '@flowgrad/nn';
import {
  add,
  gather,
  gatherMul,
  gatherPair,
  gatherSum,
  log,
  mean,
  mul,
  neg,
  ones,
  reshape,
  scatterAdd,
  scope,
  tanh,
  TensorError,
  zeros,
} from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import type { Acting, ActingPart } from '../actings/acting.ts';
import { edgePass, sumInto, totalMessages } from '../messages/message-function.ts';
import type { EdgePass, MessagePart, PreparedMessages, StepStates } from '../messages/message-function.ts';
import { createNodeInputs } from '../parts/node-inputs.ts';
import { createTransition } from '../parts/transition.ts';
import { createGlobalUpdate } from '../updates/global-update.ts';
import type { NodeUpdatePart } from '../updates/node-update.ts';
import { checkPlan, missingTargets } from './model.ts';
import type { Forward, ForwardOptions, Model } from './model.ts';
import { withDecay } from './with-decay.ts';
import type { ResolvedSettings } from './settings.ts';

/** The parts of a model with explicit attention flow. */
export interface ExplicitFlowParts {
  readonly name: string;
  /** None: a random walk. */
  readonly message?: MessagePart;
  /** None: attention does not act on messages. */
  readonly acting?: ActingPart;
  /** None: the states are the node inputs and never change. */
  readonly update?: NodeUpdatePart;
  readonly hasGlobal?: boolean;
}

/** What goes from step to step. */
interface FlowState {
  /** [rows, d] */
  readonly h: Tensor;
  /** [entries] */
  readonly a: Tensor;
  /** [examples, d] */
  readonly g: Tensor | undefined;
  /** [rows, d]: u of each row. */
  readonly u: Tensor;
}

/** A message function at work in a pass. */
interface PassMessages extends PreparedMessages {
  /** [1, d]: what every message without attention becomes, where attention acts and messages are summed one by one. */
  readonly silent: Tensor | undefined;
  readonly pass: EdgePass;
}

/** aᵗ of the plan's entries at t = 0 … T, and ãᵗ of its flow edges. */
interface Walk {
  readonly attention: readonly Tensor[];
  readonly flows: readonly Tensor[];
}

/** −log(a + ε): attention that cannot reach the destination costs much, not infinitely much. */
const epsilon = 1e-12;

export function buildExplicitFlow(parts: ExplicitFlowParts, settings: ResolvedSettings): Model {
  const { name, message: messagePart, acting: actingPart, update: updatePart, hasGlobal = false } = parts;
  const { d, key, globalReduction: reduction } = settings;
  const hasMessages = messagePart !== undefined;
  const kind: PlanKind = {
    states: hasGlobal ? 'global' : actingPart ? 'acted' : 'shared',
    messages: messagePart?.reads ?? 'none',
  };
  const inputs = createNodeInputs(settings, settings.inputs);
  const init = updatePart && createLinear({ in: d, out: d, key: key.child('init') });
  const trans = createTransition(settings);
  const message = messagePart?.build(settings);
  const width = messagePart?.hasHeads ? d / settings.heads : d;
  const acting = actingPart?.build({ width, key });
  const update = updatePart?.build({ ...settings, hasMessages, hasGlobal });
  const global = hasGlobal ? createGlobalUpdate(settings, { hasMessages, reduction }) : undefined;

  /** hᵗ → hᵗ⁺¹, given ãᵗ and aᵗ⁺¹. */
  const nextStates = (
    now: FlowState,
    step: PlanStep,
    rows: { readonly before: PlanRows; readonly after: PlanRows; readonly inputs: Tensor },
    of: {
      readonly states: StepStates;
      readonly carried: Tensor;
      readonly flow: Tensor;
      readonly a: Tensor;
    },
    prepared: PassMessages | undefined,
  ): Omit<FlowState, 'a'> => {
    const messages = prepared && receivedMessages(prepared, acting, of.states, of.flow, step);
    const u = rows.after === rows.before ? now.u : gather(rows.inputs, rows.after.nodes);
    const { examples } = rows.after;
    const ofRows = now.g && gather(now.g, examples!);
    const h = update!.apply({
      states: of.carried,
      inputs: u,
      ...(messages && { messages }),
      ...(ofRows && { global: ofRows }),
    });
    const g = global?.apply({
      global: now.g!,
      states: h,
      attention: of.a,
      ...(messages && { messages }),
      examples: examples!,
    });
    return { h, g, u };
  };

  const walk = (plan: Plan): Walk => {
    const { sources } = plan.flow!;
    const u = inputs.nodes();
    const start = gather(init ? tanh(init.apply(u)) : u, plan.rows[0].nodes);
    const messages = message?.prepare(acting?.project);
    const counts = acting && !(acting.total && messages?.rows);
    const prepared = messages && {
      ...messages,
      silent: counts
        ? silentMessage(acting, messagePart?.hasHeads ? [settings.heads, width] : [width])
        : undefined,
      pass: edgePass(plan, settings),
    };
    let now: FlowState = {
      h: start,
      a: scatterAdd(ones([plan.examples]), sources),
      g: global && zeros([plan.examples, d]),
      u: gather(u, plan.rows[0].nodes),
    };
    // Without updates the transition is the same at every step.
    const stationary = update
      ? undefined
      : trans.apply(statesOf(start, plan.steps[0]).senders, start, plan.steps[0].fan!);
    const attention = [now.a];
    const flows: Tensor[] = [];
    plan.steps.forEach((step, t) => {
      const { next, flow } = scope(() => {
        const { senders, carried } = statesOf(now.h, step);
        const states = {
          rows: now.h,
          senders,
          ...(now.g && { global: now.g }),
        };
        const transition = stationary ?? trans.apply(states.senders, states.rows, step.fan!);
        const flow = flowAlong(transition, now.a, step.flow!);
        const a = arrivingAttention(flow, step.flow!);
        if (!update || t === plan.steps.length - 1) return { next: { ...now, a }, flow };
        const rows = { before: plan.rows[t], after: plan.rows[t + 1], inputs: u };
        return { next: { a, ...nextStates(now, step, rows, { states, carried, flow, a }, prepared) }, flow };
      }, `${name} step`);
      now = next;
      attention.push(now.a);
      flows.push(flow);
    });
    return { attention, flows };
  };

  const forward = (plan: Plan, options: ForwardOptions = {}): Forward => {
    checkPlan('forward', { name, kind }, plan);
    if (!plan.complete) throw incomplete(name);
    return scope(() => {
      const { attention, flows } = walk(plan);
      const spread = attention.map((a, t) => {
        const all = scatterAdd(a, plan.flow!.entries[t].outputs);
        return reshape(all, [plan.examples, plan.nodeCount]);
      });
      const scores = spread.at(-1)!;
      if (!options.flows) return { scores, attention: spread };
      return { scores, attention: spread, flows: flows.map((flow, t) => flowsOfGraph(flow, plan, t)) };
    }, 'forward');
  };

  const loss = (plan: Plan): Tensor => {
    checkPlan('loss', { name, kind }, plan);
    const targets = plan.flow!.targets;
    if (!targets) throw missingTargets();
    return scope(() => {
      const reached = gather(walk(plan).attention.at(-1)!, targets);
      return withDecay(neg(mean(log(add(reached, epsilon)))), inputs, settings.weightDecay);
    }, 'loss');
  };

  const modules = {
    ...inputs.modules,
    ...(init && { init }),
    ...trans.modules,
    ...message?.modules,
    ...acting?.modules,
    ...update?.modules,
    ...global?.modules,
  };
  return { name, kind, ...modules, forward, loss };
}

/** The rows of those who send, and of those who go on to t + 1. */
function statesOf(h: Tensor, { senders: { rows }, carry }: PlanStep): { senders: Tensor; carried: Tensor } {
  if (rows && carry) {
    const [senders, carried] = gatherPair(h, rows, carry);
    return { senders, carried };
  }
  return { senders: rows ? gather(h, rows) : h, carried: carry ? gather(h, carry) : h };
}

/** ã_ij = T_ij a_i */
function flowAlong(transition: Tensor, a: Tensor, { fanEdges, entries }: PlanFlow): Tensor {
  return gatherMul(transition, a, { yRows: entries, ...(fanEdges && { xRows: fanEdges }) });
}

/** a'_j = Σ_i ã_ij */
function arrivingAttention(flow: Tensor, { arriving, arrivals }: PlanFlow): Tensor {
  return arriving ? gatherSum(flow, arriving, arrivals) : scatterAdd(flow, arrivals);
}

/** m̄_j = Σ_i A(ã_ij, m_ij), or Σ_i m_ij where nothing acts. */
function receivedMessages(
  prepared: PassMessages,
  acting: Acting | undefined,
  states: StepStates,
  flow: Tensor,
  step: PlanStep,
): Tensor {
  if (!acting) return totalMessages(prepared, states, step, prepared.pass);
  const { fanEdges, unattended } = step.messages!;
  const ofMessages = fanEdges ? gather(flow, fanEdges) : flow;
  if (acting.total && prepared.rows) {
    return acting.total(ofMessages, prepared.rows(states, step), step.messages!);
  }
  const attended = prepared.pass(() => sumInto(acting.act(ofMessages, prepared.perEdge(states, step)), step));
  if (!unattended) return attended;
  return add(attended, mul(unattended, prepared.silent!));
}

/** [1, d]: A(0, m), which is the same for every m, and so for m = 0. */
function silentMessage(acting: Acting, shape: readonly number[]): Tensor {
  const silent = acting.act(zeros([1]), { values: zeros([1, ...shape]) });
  return reshape(silent, [1, silent.size]);
}

function flowsOfGraph(flow: Tensor, plan: Plan, t: number): Tensor {
  const { examples, edgeCount } = plan;
  return reshape(scatterAdd(flow, plan.steps[t].flow!.outputs), [examples, edgeCount]);
}

function incomplete(name: string): TensorError {
  return new TensorError(
    'forward',
    'option',
    `expected a plan of all nodes for ${name}, got one of the loss only (plan it without lossOnly)`,
  );
}
