/** What models whose attention flows have in common: forward, loss and flows, given how they walk. */
import { overFlow } from '@flowgrad/graph';
import type { FlowEdges, FlowPass, PassOptions, Plan, Step } from '@flowgrad/graph';
import { add, div, log, scope, sum, TensorError } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import type { NodeInputs } from '../parts/node-inputs.ts';
import { allOf } from '../parts/onward.ts';
import type { Focus } from '../parts/onward.ts';
import { checkPlan, missingTargets } from './model.ts';
import type { Forward, ForwardOptions, LossOptions, Model, PlanNeeds } from './model.ts';
import { withDecay } from './with-decay.ts';

/** A walk of T steps, as the plan has it. Each is made when it is asked for. */
export interface Walk {
  /** aᵗ, at t = 0 … T. */
  attention(this: void, t: number): Tensor;
  /** What of it has stopped for good; of models that can. */
  readonly stopped?: (this: void, t: number) => Tensor;
  /** ãᵗ, at t = 0 … T − 1. */
  flow(this: void, t: number): Tensor;
}

/** What goes from step to step, of any model whose attention flows. */
interface Walking {
  readonly focus: Focus;
}

/** One step after the other, each in a scope of its own, from `start` on. */
export function walkAlong<Now extends Walking>(
  name: string,
  { steps }: FlowPass,
  start: Now,
  step: (now: Now, edges: Step<FlowEdges>, t: number) => { readonly next: Now; readonly flow: Tensor },
): Walk {
  let now = start;
  const focused = [now.focus];
  const flows: Tensor[] = [];
  for (const [t, edges] of steps.entries()) {
    const { next, flow } = scope(() => step(now, edges, t), `${name} step`);
    now = next;
    focused.push(now.focus);
    flows.push(flow);
  }
  return {
    attention: (t) => allOf(focused[t]),
    ...(start.focus.stopped && { stopped: (t: number) => focused[t].stopped! }),
    flow: (t) => flows[t],
  };
}

/** −log(a + ε): attention that cannot reach the destination costs much, not infinitely much. */
const epsilon = 1e-12;

export function walked(
  needs: PlanNeeds & {
    readonly inputs: NodeInputs;
    readonly weightDecay: number;
    readonly options: PassOptions;
  },
  walk: (pass: FlowPass, u: Tensor) => Walk,
): Required<Pick<Model, 'forward' | 'loss' | 'flows'>> {
  const { name, inputs, weightDecay, options } = needs;
  const over = <T>(plan: Plan, fn: (walk: Walk, pass: FlowPass, steps: readonly number[]) => T): T =>
    overFlow(plan, options, (pass) => fn(walk(pass, inputs.nodes(pass.read)), pass, [...pass.steps.keys()]));

  const forward = (plan: Plan, wanted: ForwardOptions = {}): Forward => {
    const { flows: wantsFlows = false, attention: wantsAttention = true } = wanted;
    checkPlan('forward', needs, plan);
    if (!plan.complete) throw incomplete(name);
    return over(plan, ({ attention, stopped, flow }, pass, steps) => {
      const times = wantsAttention ? [...steps, steps.length] : [steps.length];
      const spread = times.map((t) => pass.ofAllNodes(attention(t), t));
      return {
        scores: spread.at(-1)!,
        ...(wantsAttention && { attention: spread }),
        ...(wantsAttention && stopped && { stopped: times.map((t) => pass.ofAllNodes(stopped(t), t)) }),
        ...(wantsFlows && { flows: steps.map((t) => pass.ofAllEdges(flow(t), t)) }),
      };
    });
  };

  const loss = (plan: Plan, lossOptions?: LossOptions): Tensor => {
    checkPlan('loss', needs, plan);
    return over(plan, ({ attention }, pass, steps) => {
      const reached = pass.atDestinations(attention(steps.length));
      if (!reached) throw missingTargets();
      const loss = div(sum(log(add(reached, epsilon))), -reached.size);
      return withDecay(loss, inputs, weightDecay, lossOptions);
    });
  };

  const flows = (plan: Plan): readonly Tensor[] => {
    checkPlan('flows', needs, plan);
    return over(plan, ({ flow }, _, steps) => steps.map(flow));
  };

  return { forward, loss, flows };
}

function incomplete(name: string): TensorError {
  return new TensorError(
    'forward',
    'option',
    `expected a plan of all nodes for ${name}, got one of the loss only (plan it without lossOnly)`,
  );
}
