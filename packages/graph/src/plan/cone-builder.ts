/**
 * Cone plans, made of what examples have of their own (`example-part.ts`), of the background that these read
 * (`shared-rows.ts`), and of the steps between two times.
 */
import { deferredIndex, rowIndex, segments } from '@flowgrad/tensor';
import type { RowIndex } from '@flowgrad/tensor';
import type { ConeBatch, ConeContext } from './cone-context.ts';
import { examplePartMaker } from './example-part.ts';
import type { ExamplePart } from './example-part.ts';
import { flowStepMaker } from './flow-steps.ts';
import { IntRoom } from './int-room.ts';
import { markStepMaker } from './mark-steps.ts';
import type { FlowParts, MarkParts, PlanEntries, PlanRows } from './plan.ts';
import { everyNode, readNodes } from './shared-rows.ts';
import { UnrolledBatch } from './unrolled-batch.ts';

type PartsOf = (batch: UnrolledBatch, given: ConeBatch) => FlowParts | MarkParts;

/** Makes plans of a kind whose examples have states of their own; none where the dense one is as good. */
export function coneBuilder(context: ConeContext): (batch: ConeBatch) => FlowParts | MarkParts | undefined {
  const { graph, kind, conesOf } = context;
  const { nodeCount } = graph;
  const partOf = examplePartMaker(context);
  const readBy = readNodes(context.numbering);
  // What a regular network puts out is listed when it is asked for, of the rows that its batch has then.
  const rooms = kind.flow ? { nodes: new IntRoom(), rows: new IntRoom() } : undefined;

  /** The batch before its first step, with what its examples have of their own. */
  const unroll = (batch: ConeBatch): UnrolledBatch => {
    const { sources, destinations, steps } = batch;
    const parts = conesOf(batch).map((cone, example) =>
      partOf(cone, { source: sources[example], destination: destinations?.[example], steps }),
    );
    const shared = kind.flow ? readBy(parts, steps) : everyNode(parts, nodeCount, steps);
    return new UnrolledBatch(parts, shared, steps, rooms);
  };

  /** The rows of t + 1. */
  const rowsAfter = ({ parts, shared, times, placesAfter, t }: UnrolledBatch): PlanRows => {
    const { nodes = { length: nodeCount } } = shared;
    const count = placesAfter.length;
    const isSame = times.rows[t + 1] === 0 && count === nodes.length;
    return {
      count,
      nodes: isSame ? undefined : rowIndex(placesAfter, nodes.length),
      examples: kind.flow && (kind.global || !kind.acts) ? examplesOf(parts) : undefined,
    };
  };

  /** The entries of t + 1. */
  const entriesAfter = ({ parts, times, t }: UnrolledBatch): PlanEntries => {
    const count = times.entries[t + 1];
    const pairs = (): Int32Array => {
      const result = new Int32Array(count);
      let entry = 0;
      parts.forEach(({ nodes, own, entries: { from, until } }, example) => {
        for (let k = 0; k < own; k++) {
          if (t + 1 >= from[k] && t + 1 <= until[k]) result[entry++] = example * nodeCount + nodes[k];
        }
      });
      return result;
    };
    return { count, outputs: deferredIndex(pairs, parts.length * nodeCount) };
  };

  /** Makes what each time and each step has, from the first to the last; what stays is made once. */
  const walk = <Step>(batch: UnrolledBatch, stepAt: (batch: UnrolledBatch) => Step) => {
    const rows = [rowsAfter(batch)];
    const entries = [entriesAfter(batch)];
    const steps: Step[] = [];
    for (let t = 0; t < batch.steps; t++) {
      batch.goOn();
      if (batch.stepStays(t)) steps.push(steps[t - 1]);
      else steps.push(stepAt(batch));
      // Where attention flows, nothing reads a state at T.
      if (!kind.flow || t + 1 < batch.steps) rows.push(batch.rowsStay(t + 1) ? rows[t] : rowsAfter(batch));
      entries.push(batch.entriesStay(t + 1) ? entries[t] : entriesAfter(batch));
    }
    return { rows, entries, steps };
  };

  const flowParts = (): PartsOf => {
    const stepAt = flowStepMaker(context);
    return (batch, { asked, destinations }) => {
      const { shared, times, steps: T } = batch;
      const nodes = shared.nodes!;
      const sources = numbersAt(batch, batch.entryAfter, 'source', times.entries[0]);
      const starts = asked && numbersAt(batch, batch.after, 'source', batch.rowsAt(0));
      const { rows, entries, steps } = walk(batch, stepAt);
      return {
        nodes: rowIndex(nodes, nodeCount),
        rows,
        steps,
        entries,
        sources,
        ...(starts && { starts }),
        ...(destinations && {
          targets: numbersAt(batch, batch.entryAfter, 'destination', times.entries[T]),
        }),
      };
    };
  };

  const markParts = (): PartsOf => {
    const stepAt = markStepMaker(context);
    return (batch, { destinations }) => {
      const { parts, after, first, steps: T } = batch;
      const sources = numbersAt(batch, after, 'source', batch.rowsAt(0));
      const { rows, steps } = walk(batch, stepAt);
      const outputs = (): Int32Array => {
        const result = new Int32Array(parts.length * nodeCount).map((_, pair) => pair % nodeCount);
        parts.forEach(({ nodes, own }, p) => {
          for (let k = 0; k < own; k++) {
            if (after[first[p] + k] >= 0) result[p * nodeCount + nodes[k]] = after[first[p] + k];
          }
        });
        return result;
      };
      return {
        rows,
        steps,
        sources,
        outputs: deferredIndex(outputs, batch.rowsAt(T)),
        ...(destinations && { targets: rowIndex(destinations, nodeCount) }),
      };
    };
  };

  // Each of the two makes lists of all edges of the graph, so only the one that is needed is made.
  const partsOf = kind.flow ? flowParts() : markParts();

  return (given) => {
    const batch = unroll(given);
    // Where examples have all rows and attention acts on messages, what is spared are edges.
    const share = (t: number): number =>
      kind.acts && kind.global
        ? batch.times.leaving[t] / (given.sources.length * graph.edgeCount)
        : batch.rowsAt(t) / (given.sources.length * nodeCount);
    let total = 0;
    for (let t = 0; t < given.steps; t++) total += share(t);
    // Measured, the dense plan, whose indices are made once, is the faster one from 0.85 of the rows on. Where there are few
    // rows in all, either is. What examples ask is read by edges, of which a cone has fewer even where it has nearly all rows.
    const isLarge = given.sources.length * nodeCount * given.steps > 1000;
    if (isLarge && total / given.steps > 0.85 && !given.cones && !given.asked) return undefined;
    return partsOf(batch, given);
  };
}

/** Example → the number that the node at one of its ends has now. */
function numbersAt(
  { parts, first }: UnrolledBatch,
  numbers: Int32Array,
  end: 'source' | 'destination',
  count: number,
): RowIndex {
  return rowIndex(
    parts.map((part, p) => numbers[first[p] + part[end]]),
    count,
  );
}

/** Row → example, where examples have all rows. */
function examplesOf(parts: readonly ExamplePart[]): RowIndex {
  const ids = new Int32Array(parts.reduce((total, { own }) => total + own, 0));
  let row = 0;
  parts.forEach(({ own }, example) => ids.fill(example, row, (row += own)));
  return segments(ids, parts.length);
}
