import { escapeXml } from '@flowgrad/files';
import type { Graph } from './graph.ts';
import { checkLabels } from './graph-labels.ts';
import type { GraphLabels } from './graph-labels.ts';

const HEADER = [
  '<?xml version="1.0" encoding="UTF-8"?>',
  '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
];

/** The graph as GraphML, for Gephi, yEd, NetworkX and others. Edge types are kept as numbers and as names. */
export function toGraphML(graph: Graph, labels: GraphLabels = {}): string {
  checkLabels('toGraphML', graph, labels);
  const { nodeNames, edgeTypeNames, nodeAttributes = {} } = labels;
  const attributes = Object.entries(nodeAttributes);
  const lines = [...HEADER];
  const key = (id: string, owner: string, name: string, type: string): void => {
    lines.push(`  <key id="${id}" for="${owner}" attr.name="${escapeXml(name)}" attr.type="${type}"/>`);
  };
  if (nodeNames) key('label', 'node', 'label', 'string');
  attributes.forEach(([name], i) => key(`a${i}`, 'node', name, 'double'));
  key('type', 'edge', 'type', 'int');
  if (edgeTypeNames) key('typeName', 'edge', 'label', 'string');

  lines.push('  <graph edgedefault="directed">');
  for (let node = 0; node < graph.nodeCount; node++) {
    const data = nodeNames ? [dataElement('label', nodeNames[node])] : [];
    attributes.forEach(([, values], i) => data.push(dataElement(`a${i}`, String(values[node]))));
    lines.push(
      data.length > 0 ? `    <node id="n${node}">${data.join('')}</node>` : `    <node id="n${node}"/>`,
    );
  }
  for (let edge = 0; edge < graph.edgeCount; edge++) {
    const type = graph.edgeTypes[edge];
    const named = edgeTypeNames ? dataElement('typeName', edgeTypeNames[type]) : '';
    const ends = `source="n${graph.senders[edge]}" target="n${graph.receivers[edge]}"`;
    lines.push(`    <edge id="e${edge}" ${ends}>${dataElement('type', String(type))}${named}</edge>`);
  }
  lines.push('  </graph>', '</graphml>', '');
  return lines.join('\n');
}

function dataElement(key: string, value: string): string {
  return `<data key="${key}">${escapeXml(value)}</data>`;
}
