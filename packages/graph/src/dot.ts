import type { Graph } from './graph.ts';
import { checkLabels } from './graph-labels.ts';
import type { GraphLabels } from './graph-labels.ts';

/** The graph in Graphviz' DOT language. Edges are labelled with the name of their type, or its number. */
export function toDot(graph: Graph, labels: GraphLabels = {}): string {
  checkLabels('toDot', graph, labels);
  const { nodeNames, edgeTypeNames, nodeAttributes = {} } = labels;
  const lines = ['digraph {'];
  for (let node = 0; node < graph.nodeCount; node++) {
    const attributes = nodeNames ? [`label=${quoted(nodeNames[node])}`] : [];
    for (const [name, values] of Object.entries(nodeAttributes)) {
      attributes.push(`${quoted(name)}=${quoted(String(values[node]))}`);
    }
    lines.push(attributes.length > 0 ? `  n${node} [${attributes.join(', ')}];` : `  n${node};`);
  }
  for (let edge = 0; edge < graph.edgeCount; edge++) {
    const type = graph.edgeTypes[edge];
    const label = quoted(edgeTypeNames?.[type] ?? String(type));
    lines.push(`  n${graph.senders[edge]} -> n${graph.receivers[edge]} [label=${label}];`);
  }
  lines.push('}', '');
  return lines.join('\n');
}

/**
 * In a quoted DOT string only the quote ends it, but labels read a backslash as an escape: both are escaped.
 */
function quoted(text: string): string {
  const escaped = text
    .replace(/\\/g, '\\\\')
    .replace(/"/g, '\\"')
    .replace(/\r\n|\r|\n/g, '\\n')
    .replace(/\0/g, '\ufffd');
  return `"${escaped}"`;
}
