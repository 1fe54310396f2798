import { describe, expect, it } from 'vitest';
import { toDot } from './dot.ts';
import { createGraph } from './graph.ts';
import type { GraphLabels } from './graph-labels.ts';
import { toGraphML } from './graphml.ts';

const graph = createGraph({ nodeCount: 3, senders: [0, 1], receivers: [1, 1], edgeTypes: [0, 1] });
const labels = {
  nodeNames: ['a "b" \\', '<&>', "it's\nnew"],
  edgeTypeNames: ['E', 'loop'],
  nodeAttributes: { x: [0, 1.5, -2] },
};

describe('toGraphML', () => {
  it('writes nodes, edges, types and attributes, with names escaped', () => {
    expect(toGraphML(graph, labels)).toMatchInlineSnapshot(`
      "<?xml version="1.0" encoding="UTF-8"?>
      <graphml xmlns="http://graphml.graphdrawing.org/xmlns">
        <key id="label" for="node" attr.name="label" attr.type="string"/>
        <key id="a0" for="node" attr.name="x" attr.type="double"/>
        <key id="type" for="edge" attr.name="type" attr.type="int"/>
        <key id="typeName" for="edge" attr.name="label" attr.type="string"/>
        <graph edgedefault="directed">
          <node id="n0"><data key="label">a &quot;b&quot; \\</data><data key="a0">0</data></node>
          <node id="n1"><data key="label">&lt;&amp;&gt;</data><data key="a0">1.5</data></node>
          <node id="n2"><data key="label">it&apos;s&#10;new</data><data key="a0">-2</data></node>
          <edge id="e0" source="n0" target="n1"><data key="type">0</data><data key="typeName">E</data></edge>
          <edge id="e1" source="n1" target="n1"><data key="type">1</data><data key="typeName">loop</data></edge>
        </graph>
      </graphml>
      "
    `);
  });

  it('writes the structure alone where there are no labels', () => {
    const text = toGraphML(createGraph({ nodeCount: 1, senders: [], receivers: [] }));
    expect(text).toContain('<node id="n0"/>');
    expect(text).not.toContain('<edge');
  });
});

describe('toDot', () => {
  it('writes nodes, edges, types and attributes, with names escaped', () => {
    expect(toDot(graph, labels)).toMatchInlineSnapshot(`
      "digraph {
        n0 [label="a \\"b\\" \\\\", "x"="0"];
        n1 [label="<&>", "x"="1.5"];
        n2 [label="it's\\nnew", "x"="-2"];
        n0 -> n1 [label="E"];
        n1 -> n1 [label="loop"];
      }
      "
    `);
  });

  it('writes the numbers of edge types that have no name', () => {
    expect(toDot(graph)).toContain('n1 -> n1 [label="1"];');
  });
});

describe('labels', () => {
  it.each([
    [{ nodeNames: ['a'] }, 'toDot: expected nodeNames of length 3 (nodeCount), got 1'],
    [{ edgeTypeNames: [] }, 'toDot: expected edgeTypeNames of length 2 (edgeTypeCount), got 0'],
    [{ nodeAttributes: { x: [1] } }, 'toDot: expected nodeAttributes.x of length 3 (nodeCount), got 1'],
    [{ names: [] }, "toDot: expected options among nodeNames, edgeTypeNames, nodeAttributes, got 'names'"],
  ])('are checked: %j', (wrong, message) => {
    expect(() => toDot(graph, wrong as GraphLabels)).toThrow(message);
  });
});
