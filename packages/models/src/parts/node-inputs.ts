/** Node inputs u: what a model knows of a node by itself. */
import { createEmbedding, createLinear } from '@flowgrad/nn';
import type { Initialiser, Module } from '@flowgrad/nn';
import { add, sum, square, tanh, TensorError } from '@flowgrad/tensor';
import type { RandomKey, Tensor } from '@flowgrad/tensor';

/** Node inputs from features: x = MLP(features), plus free embeddings unless these are turned off. */
export interface FeatureInputs {
  /** [nodes, width] what is known of each node. It belongs to the caller, and has to live as long as the model. */
  readonly features: Tensor;
  /** The width of the hidden layer; d unless given. */
  readonly hidden?: number;
  /** Whether free embeddings are added to what the network makes of the features; true unless given. */
  readonly embeddings?: boolean;
}

/** How many inputs there are, and where they start. */
export interface NodeInputSettings {
  readonly nodeCount: number;
  readonly d: number;
  readonly key: RandomKey;
  /** How free embeddings start; as `createEmbedding` has it unless given. */
  readonly start?: Initialiser;
}

export interface NodeInputs {
  readonly modules: Readonly<Record<string, Module>>;
  /** [nodes, d], of the nodes whose embeddings and features `read` picks; of all unless given. */
  nodes(this: void, read?: (x: Tensor) => Tensor): Tensor;
  /** ‖U‖² of the free embeddings; none where there are none. */
  squaredNorm(this: void): Tensor | undefined;
}

const all = (x: Tensor): Tensor => x;

/**
 * u_i = U_i, a free vector for each node; or with features x_i
 * u_i = tanh(x_i W₁ + b₁) W₂ + b₂ + U_i, the last term only with embeddings.
 */
export function createNodeInputs(
  { nodeCount, d, key, start }: NodeInputSettings,
  given?: FeatureInputs,
): NodeInputs {
  const u =
    given?.embeddings === false
      ? undefined
      : createEmbedding({ count: nodeCount, d, key: key.child('u'), ...(start && { w: start }) }).w;
  const squaredNorm = (): Tensor | undefined => u && sum(square(u));
  if (!given) return { modules: { u: u! }, nodes: (read = all) => read(u!), squaredNorm };
  const { features } = given;
  if (features.rank !== 2 || features.shape[0] !== nodeCount) {
    throw new TensorError(
      'createModel',
      'shape',
      `features must have shape [${nodeCount}, width], got [${features.shape.join(', ')}]`,
    );
  }
  const width = given.hidden ?? d;
  const hidden = createLinear({ in: features.shape[1], out: width, key: key.child('features').child(0) });
  const output = createLinear({ in: width, out: d, key: key.child('features').child(1) });
  const nodes: NodeInputs['nodes'] = (read = all) => {
    const made = output.apply(tanh(hidden.apply(read(features))));
    return u ? add(made, read(u)) : made;
  };
  return { modules: { ...(u && { u }), features: { hidden, output } }, nodes, squaredNorm };
}
