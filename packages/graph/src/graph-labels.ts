import { rejectUnknownOptions } from '@flowgrad/tensor';
import type { Graph } from './graph.ts';

/** What an exported graph shows beside its structure. */
export interface GraphLabels {
  readonly nodeNames?: readonly string[];
  readonly edgeTypeNames?: readonly string[];
  /** Numbers per node, for example coordinates: `{ x, y }`. */
  readonly nodeAttributes?: Readonly<Record<string, ArrayLike<number>>>;
}

export function checkLabels(where: string, graph: Graph, labels: GraphLabels): void {
  rejectUnknownOptions(where, labels, ['nodeNames', 'edgeTypeNames', 'nodeAttributes']);
  const expectLength = (name: string, values: ArrayLike<unknown>, count: number, countName: string): void => {
    if (values.length !== count) {
      throw new RangeError(
        `${where}: expected ${name} of length ${count} (${countName}), got ${values.length}`,
      );
    }
  };
  const { nodeNames, edgeTypeNames, nodeAttributes = {} } = labels;
  if (nodeNames) expectLength('nodeNames', nodeNames, graph.nodeCount, 'nodeCount');
  if (edgeTypeNames) expectLength('edgeTypeNames', edgeTypeNames, graph.edgeTypeCount, 'edgeTypeCount');
  for (const [name, values] of Object.entries(nodeAttributes)) {
    expectLength(`nodeAttributes.${name}`, values, graph.nodeCount, 'nodeCount');
  }
}
