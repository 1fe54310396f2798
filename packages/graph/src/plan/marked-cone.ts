/**
 * Cone plans of regular networks. A state is an example's own once the source's mark can have reached it; all nodes are
 * read at the end, so that nothing can be left out for the loss. The rows of a time are the background, a row for each
 * node, and after it those that examples have of their own.
 */
import { deferredIndex, rowIndex } from '@flowgrad/tensor';
import { countSpans } from './cone-times.ts';
import { isAsGoodAsDense } from './cone-context.ts';
import type { ConeBatch, ConeContext } from './cone-context.ts';
import type { ExampleCone } from './example-cone.ts';
import { endSteps, siblingSteps } from './marked-steps.ts';
import type { MarkParts, MarkStep, PlanRows } from './plan.ts';

export function markedCone(context: ConeContext): (batch: ConeBatch) => MarkParts | undefined {
  const { graph, conesOf, kind } = context;
  const { nodeCount } = graph;
  const stepAt = kind.reads === 'siblings' ? siblingSteps(context) : endSteps(context);

  const rowsAt = (t: number, cones: readonly ExampleCone[], own: number): PlanRows => {
    const nodes = new Int32Array(nodeCount + own);
    for (let node = 0; node < nodeCount; node++) nodes[node] = node;
    let row = nodeCount;
    for (const cone of cones) {
      for (let k = 0; k < cone.nodes.length; k++) if (cone.since[k] <= t) nodes[row++] = cone.nodes[k];
    }
    return { count: row, nodes: rowIndex(nodes, nodeCount) };
  };

  return (batch) => {
    const { sources, destinations, steps } = batch;
    const cones = conesOf({ sources, destinations: undefined, lossOnly: false, steps });
    const own = countSpans(cones, steps, 'attention');
    const rowCount = own.subarray(0, steps).reduce((sum, count) => sum + nodeCount + count, 0);
    if (isAsGoodAsDense(rowCount, batch, nodeCount)) return undefined;
    const planned: { rows: PlanRows[]; steps: MarkStep[] } = { rows: [rowsAt(0, cones, own[0])], steps: [] };
    for (let t = 0; t < steps; t++) {
      // Once no pair gets a row of its own any more, rows and steps stay as they are.
      if (t > 0 && own[t - 1] === own[t] && own[t] === own[t + 1]) {
        planned.rows.push(planned.rows[t]);
        planned.steps.push(planned.steps[t - 1]);
        continue;
      }
      planned.rows.push(rowsAt(t + 1, cones, own[t + 1]));
      planned.steps.push(stepAt(t, cones, { rows: nodeCount + own[t], after: nodeCount + own[t + 1] }));
    }
    const outputs = (): Int32Array => {
      const rows = new Int32Array(sources.length * nodeCount).map((_, pair) => pair % nodeCount);
      let row = nodeCount;
      cones.forEach(({ nodes }, example) => {
        for (const node of nodes) rows[example * nodeCount + node] = row++;
      });
      return rows;
    };
    return {
      ...planned,
      // At the beginning an example has one row of its own, that of its source.
      sources: rowIndex(
        sources.map((_, example) => nodeCount + example),
        nodeCount + sources.length,
      ),
      outputs: deferredIndex(outputs, nodeCount + own[steps]),
      ...(destinations && { targets: rowIndex(destinations, nodeCount) }),
    };
  };
}
