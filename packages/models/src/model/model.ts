/** What a model is: parameters, and two functions of plans. */
import { showKind } from '@flowgrad/graph';
import type { Plan, PlanKind } from '@flowgrad/graph';
import { TensorError } from '@flowgrad/tensor';
import type { RandomKey, Tensor } from '@flowgrad/tensor';
import type { FeatureInputs } from '../parts/node-inputs.ts';
import type { modelOptions, OptionValues } from './options.ts';

/** What a forward pass is asked for beside its scores. */
export interface ForwardOptions {
  /** Whether the flowing attention of every step is asked for. False unless given. */
  readonly flows?: boolean;
  /** Whether the focused attention of every time is asked for. True unless given. */
  readonly attention?: boolean;
}

/** What a forward pass computes. */
export interface Forward {
  /** [examples, nodes]: the attention after the last step; logits of regular networks. */
  readonly scores: Tensor;
  /** The focused attention aᵗ at t = 0 … T, each [examples, nodes]; of models with explicit flow, where asked for. */
  readonly attention?: readonly Tensor[];
  /** What of it has stopped for good, at t = 0 … T, each [examples, nodes]; of models that stop. */
  readonly stopped?: readonly Tensor[];
  /** The flowing attention ãᵗ at t = 0 … T−1, each [examples, edges of the graph]; on request. */
  readonly flows?: readonly Tensor[];
}

/** Its parameters are properties at any depth, named as `parameters` of @flowgrad/nn names them. */
export interface Model {
  readonly name: string;
  /** What planners need to know of it. */
  readonly kind: PlanKind;
  forward(this: void, plan: Plan, options?: ForwardOptions): Forward;
  /** The batch mean of the loss, weight decay included: one number. The plan must have destinations. */
  loss(this: void, plan: Plan, options?: LossOptions): Tensor;
  /** ã of every step, for the edges that the plan has there: what `planner.follow` prunes by. Of models with explicit flow. */
  readonly flows?: (this: void, plan: Plan) => readonly Tensor[];
  /**
   * [nodes, channels]: what there is to see at each node, each channel in the measure of how far it moves the state of
   * whoever has seen it. Of models that remember.
   */
  readonly sights?: (this: void) => Tensor;
}

/** How a loss is made up. */
export interface LossOptions {
  /**
   * Whether the loss has its term of weight decay, which reads every embedding. True unless given; without it, the
   * optimiser does the decay: `createAdam(…, { weightDecay })`.
   */
  readonly weightDecay?: boolean;
}

/** What a model is built for, and its options. A model refuses options that it does not have. */
export interface ModelSettings extends Partial<OptionValues<typeof modelOptions>> {
  readonly nodeCount: number;
  readonly edgeTypeCount: number;
  /** How many different queries examples can carry: 0 unless given, where they carry none. Of models with explicit flow. */
  readonly queryCount?: number;
  /** Start values come from here alone. */
  readonly key: RandomKey;
  /** Features as node inputs; free embeddings alone unless given. */
  readonly inputs?: FeatureInputs;
}

/** A setting that a model may have beside those that all have. */
export type ModelOption = Exclude<keyof ModelSettings, 'nodeCount' | 'edgeTypeCount' | 'queryCount' | 'key'>;

/** An entry of the registry. */
export interface ModelDefinition {
  readonly name: string;
  /** Whether examples may carry queries. */
  readonly asks: boolean;
  /** The options it takes beside nodeCount, edgeTypeCount, queryCount and key. */
  readonly options: readonly ModelOption[];
  build(this: void, settings: ModelSettings): Model;
}

/** What a plan must agree with. */
export interface PlanNeeds extends Pick<Model, 'name' | 'kind'> {
  readonly settings: Pick<ModelSettings, 'nodeCount' | 'edgeTypeCount'>;
}

/** Raises unless the plan was made for models like this one, of a graph with as many nodes and edge types. */
export function checkPlan(where: string, { name, kind, settings }: PlanNeeds, plan: Plan): void {
  const [expected, got] = plan.kind === kind ? [] : [kind, plan.kind].map(showKind);
  if (expected !== got) {
    throw new TensorError(
      where,
      'option',
      `expected a plan of kind { ${expected} } for ${name}, got { ${got} } (give the planner model.kind)`,
    );
  }
  for (const count of ['nodeCount', 'edgeTypeCount'] as const) {
    if (settings[count] === plan[count]) continue;
    throw new TensorError(
      where,
      'option',
      `expected a plan of a graph with ${count} ${settings[count]}, as ${name} was made for, got ${plan[count]} ` +
        `(make the model with ${count}: graph.${count} of the graph that the planner has)`,
    );
  }
}

export function missingTargets(): TensorError {
  return new TensorError(
    'loss',
    'option',
    'expected a plan with destinations, got none (plan({ sources, destinations }))',
  );
}
