import { memory, referenceBackend, RowIndex, scope, setBackend } from '@flowgrad/tensor';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGraph } from '../graph.ts';
import { withSelfLoops } from '../self-loops.ts';
import { createConePlanner } from './cone-planner.ts';
import { createDensePlanner } from './dense-planner.ts';
import type { PlanKind } from './plan-kind.ts';
import { planSize } from './plan.ts';
import type { FlowPlan, MarkPlan, PlanBatch, Planner } from './plan.ts';

beforeAll(() => void setBackend(referenceBackend()));
afterAll(() => void setBackend(undefined));

/** The ids of all indices in a plan, by where they stand. */
function idsIn(value: unknown, path = ''): [string, number[]][] {
  if (value instanceof RowIndex) return [[path, Array.from(value.toArray())]];
  if (typeof value !== 'object' || value === null || 'backend' in value) return [];
  return Object.entries(value).flatMap(([name, part]) => idsIn(part, `${path}.${name}`));
}

/** 0 → 1 → 2 → 3 → 4, each with a self-loop. */
const path = withSelfLoops(createGraph({ nodeCount: 5, senders: [0, 1, 2, 3], receivers: [1, 2, 3, 4] }));
const kinds = {
  shared: { flow: true, acts: false, global: false },
  acted: { flow: true, acts: true, global: false },
  marked: { flow: false, acts: false, global: false },
  global: { flow: true, acts: false, global: true },
  markedGlobal: { flow: false, acts: false, global: true },
} as const;
const acted: PlanKind = { ...kinds.acted, reads: 'sender' };
const flowPlan = ({ plan }: Planner, batch: PlanBatch): FlowPlan => plan(batch) as FlowPlan;
const markPlan = ({ plan }: Planner, batch: PlanBatch): MarkPlan => plan(batch) as MarkPlan;
const planners = { dense: createDensePlanner, cone: createConePlanner };

describe.each(Object.entries(planners))('a %s planner', (_name, create) => {
  it('leaves nothing behind when it and the scope of its plans are closed', () => {
    const before = memory();
    for (const states of Object.values(kinds)) {
      const planner = create(path, { steps: 3, kind: { ...states, reads: 'siblings' } });
      for (const sources of [[0], [1, 2], [3]]) {
        scope(() => {
          const plan = flowPlan(planner, { sources, destinations: sources });
          for (const { count, nodes } of plan.rows) if (nodes) expect(nodes.ids.shape).toEqual([count]);
          for (const { fan } of plan.steps) expect(fan.senders.ids.shape).toEqual([fan.count]);
        });
      }
      planner.dispose();
    }
    expect(memory()).toEqual(before);
  });

  it('keeps plans apart: one is the same whether or not others are made before it is read', () => {
    for (const states of Object.values(kinds)) {
      for (const lossOnly of [false, true]) {
        const planner = create(path, { steps: 3, kind: { ...states, reads: 'siblings' } });
        const batch = { sources: [0, 1], destinations: [2, 1], lossOnly };
        scope(() => {
          const alone = idsIn(planner.plan(batch));
          const plan = planner.plan(batch);
          planner.plan({ sources: [4, 0, 3], destinations: [4, 4, 0], lossOnly });
          planner.plan({ sources: [1] });
          expect(alone.length).toBeGreaterThan(10);
          expect(idsIn(plan)).toEqual(alone);
        });
        planner.dispose();
      }
    }
  });

  it('checks what it is given', () => {
    const options = { steps: 3, kind: acted };
    const refuse = (more: object, message: string): void => {
      expect(() => create(path, { ...options, ...more })).toThrow(message);
    };
    refuse({ steps: 0 }, 'expected steps of at least 1, got 0');
    refuse({ steps: 1.5 }, 'expected steps to be an integer in 0..2147483647, got 1.5');
    refuse({ size: 3 }, "expected options among steps, kind, got 'size'");
    refuse(
      { kind: { ...acted, reads: 'walls' } },
      "expected kind.reads among nothing, sender, ends, siblings, got 'walls'",
    );
    refuse({ kind: { ...acted, flow: 'yes' } }, "expected kind.flow to be true or false, got 'yes'");
    refuse({ kind: { ...acted, states: 'acted' } }, "got 'states'");
    refuse(
      { kind: { ...acted, reads: 'nothing' } },
      'expected messages for attention that acts on messages, got none',
    );
    refuse(
      { kind: { ...acted, flow: false } },
      'expected flow for attention that acts on messages, got none',
    );
    refuse(
      { kind: { ...kinds.marked, reads: 'nothing' } },
      'expected messages that carry the mark of the source, got none',
    );
    const { plan, dispose } = create(path, options);
    expect(() => plan({ sources: [] })).toThrow('plan: expected at least one source, got none');
    expect(() => plan({ sources: [5] })).toThrow(
      'plan: expected sources[0] in 0..4 (nodeCount 5), got sources[0] 5',
    );
    expect(() => plan({ sources: [0, 1], destinations: [0] })).toThrow(
      'plan: expected a destination for each of 2 sources, got 1',
    );
    expect(() => plan({ sources: [0], lossOnly: true })).toThrow(
      'plan: expected destinations for a plan of the loss, got none',
    );
    dispose();
  });
});

describe('the dense plan', () => {
  it('has all rows of all examples, and makes their indices once', () => {
    const planner = createDensePlanner(path, { steps: 3, kind: acted });
    scope(() => {
      const [first, second] = [
        [0, 1],
        [2, 3],
      ].map((sources) => flowPlan(planner, { sources }));
      expect(first.rows.map(({ count }) => count)).toEqual([10, 10, 10]);
      expect(first.steps.map(({ fan }) => fan.count)).toEqual([18, 18, 18]);
      expect(second.steps[0]).toBe(first.steps[0]);
      expect(second.sources.toArray()).toEqual(Int32Array.of(2, 8));
    });
    planner.dispose();
  });
});

describe('the cone plan', () => {
  it('has own rows only where attention was, and with lossOnly where it can still matter', () => {
    const planner = createConePlanner(path, { steps: 3, kind: acted });
    scope(() => {
      const all = flowPlan(planner, { sources: [0] });
      // The background that is read at t or later, and what is within t hops once something was acted upon.
      expect(all.rows.map(({ count }) => count)).toEqual([4, 2 + 2, 1 + 3]);
      expect(all.entries.map(({ count }) => count)).toEqual([1, 2, 3, 4]);
      expect(all.complete).toBe(true);
      const loss = flowPlan(planner, { sources: [0], destinations: [3], lossOnly: true });
      // To reach 3 in time, attention has to move at every step.
      expect(loss.entries.map(({ count }) => count)).toEqual([1, 1, 1, 1]);
      expect(loss.complete).toBe(false);
    });
    planner.dispose();
  });

  it('keeps one state per node where attention acts on nothing', () => {
    const planner = createConePlanner(path, { steps: 3, kind: { ...kinds.shared, reads: 'sender' } });
    scope(() => {
      const plan = flowPlan(planner, { sources: [0, 4], destinations: [1, 4], lossOnly: true });
      expect(plan.rows.map(({ count }) => count)).toEqual([5, 5, 5]);
      // 0 and 1, and 4 by itself: the same at all times.
      expect(plan.entries.map(({ count }) => count)).toEqual([3, 3, 3, 3]);
      expect(plan.steps[1].flow).toBe(plan.steps[0].flow);
    });
    planner.dispose();
  });

  it('makes the same plan of examples it kept, made anew or forgot', () => {
    // A ring with self-loops: each of these examples has 10,500 ids, more than a planner keeps together.
    const nodes = Array.from({ length: 1500 }, (_, node) => node);
    const next = nodes.map((node) => (node + 1) % 1500);
    const ring = withSelfLoops(createGraph({ nodeCount: 1500, senders: nodes, receivers: next }));
    const planner = createConePlanner(ring, { steps: 1500, kind: { ...kinds.shared, reads: 'nothing' } });
    const sources = nodes.slice(0, 850);
    const arrivalsOf = (batch: number[]): Int32Array =>
      scope(() => flowPlan(planner, { sources: batch }).steps[0].flow.arrivals.toArray());
    const [first, second] = [arrivalsOf(sources), arrivalsOf(sources)];
    expect(first.length).toBe(850 * 3000);
    // Not toEqual: it takes seconds for millions of values.
    expect(second.every((entry, k) => entry === first[k])).toBe(true);
    expect(arrivalsOf([849])).toEqual(first.subarray(849 * 3000).map((entry) => entry - 849 * 1500));
    planner.dispose();
  });

  it('follows attention where a global state reads nothing else', () => {
    const planner = createConePlanner(path, { steps: 3, kind: { ...kinds.global, reads: 'nothing' } });
    scope(() => {
      const all = flowPlan(planner, { sources: [1] });
      // 1 … 4 at all times, as the global state changes states before attention arrives.
      expect(all.rows.map(({ count }) => count)).toEqual([4, 4, 4]);
      expect(all.steps.map(({ fan }) => fan.count)).toEqual([2, 4, 6]);
      const loss = flowPlan(planner, { sources: [0], destinations: [1], lossOnly: true });
      // Attention of t = 1 reaches that of 3 through the global state; 2 is where 1 could send it.
      expect(loss.rows.map(({ count }) => count)).toEqual([3, 3, 3]);
      expect(loss.steps.map(({ fan }) => fan.count)).toEqual([2, 4, 4]);
    });
    planner.dispose();
  });

  it('has all rows where a global state reads messages, but counts those without attention', async () => {
    const kind: PlanKind = { flow: true, acts: true, global: true, reads: 'ends' };
    const planner = createConePlanner(path, { steps: 3, kind });
    await scope(async () => {
      const { rows, steps } = flowPlan(planner, { sources: [1, 0] });
      expect(rows.map(({ count }) => count)).toEqual([10, 10, 10]);
      expect(steps.map(({ fan }) => fan.count)).toEqual([4, 8, 12]);
      expect(steps.map(({ senders, receivers }) => [senders.count, receivers!.count])).toEqual([
        [2, 4],
        [4, 6],
        [6, 8],
      ]);
      const [{ messages }, { messages: second }, { messages: last }] = steps;
      // From 1 of the first example to 1 and 2, from 0 of the second to 0 and 1.
      expect(Array.from(messages!.into.toArray()).sort()).toEqual([1, 2, 5, 6]);
      expect(Array.from(messages!.examples!.toArray())).toEqual([0, 0, 1, 1]);
      // Beside them 0 receives one message, every other node two; so does each of the second example.
      expect(await messages!.unattended!.toArray()).toEqual([1, 1, 1, 2, 2, 0, 1, 2, 2, 2].map((n) => [n]));
      expect(second!.count).toBe(8);
      expect(last).toBeUndefined();
    });
    planner.dispose();
  });

  it('follows the mark of a regular network', () => {
    const rows = (reads: PlanKind['reads']): number[] => {
      const planner = createConePlanner(path, { steps: 2, kind: { ...kinds.marked, reads } });
      const counts = scope(() => markPlan(planner, { sources: [2] }).rows.map(({ count }) => count - 5));
      planner.dispose();
      return counts;
    };
    expect(rows('sender')).toEqual([1, 2, 3]);
    // 1 sends to 2, so that what it sends to itself changes as well.
    expect(rows('siblings')).toEqual([1, 3, 5]);
  });

  it('has one step for all times once the mark has come everywhere it can', () => {
    for (const reads of ['sender', 'siblings'] as const) {
      const planner = createConePlanner(path, { steps: 6, kind: { ...kinds.marked, reads } });
      scope(() => {
        const { steps, rows } = markPlan(planner, { sources: [2] });
        // From 2 to 4 in two steps, with siblings to 0 as well.
        expect(steps.map((step) => step === steps[2])).toEqual([false, false, true, true, true, true]);
        expect(rows.map((at) => at === rows[3])).toEqual([false, false, true, true, true, true, true]);
        expect(rows[3].count).toBe(rows[2].count);
      });
      planner.dispose();
    }
  });
});

describe('where nearly everything is within reach', () => {
  const count = 40;
  const ring = Array.from({ length: count }, (_, node) => node);
  const graph = withSelfLoops(
    createGraph({
      nodeCount: count,
      senders: [...ring, ...ring],
      receivers: [
        ...ring.map((node) => (node + 1) % count),
        ...ring.map((node) => (node + count - 1) % count),
      ],
    }),
  );
  const sources = [0, 10, 20, 30];
  const destinations = [5, 15, 25, 35];
  const kinds: Record<string, PlanKind> = {
    'attention acts': { flow: true, acts: true, global: false, reads: 'sender' },
    'there is a global state': { flow: true, acts: false, global: true, reads: 'nothing' },
    'the source bears a mark': { flow: false, acts: false, global: false, reads: 'sender' },
  };

  it.each(Object.entries(kinds))('the plan is the dense one, and says so: %s', (_, kind) => {
    const planOf = (steps: number) => {
      const planner = createConePlanner(graph, { steps, kind });
      const plan = planner.plan({ sources, destinations, lossOnly: true });
      const { rows } = planSize(plan);
      planner.dispose();
      return { dense: plan.dense, share: rows / ((kind.flow ? steps : steps + 1) * count * sources.length) };
    };
    expect(planOf(200)).toEqual({ dense: true, share: 1 });
    const short = planOf(8);
    expect(short.dense).toBe(false);
    expect(short.share).toBeLessThan(0.85);
  });

  it('so it is where attention acts and a global state reads the messages, by those that have attention', () => {
    const kind: PlanKind = { flow: true, acts: true, global: true, reads: 'ends' };
    const planOf = (steps: number) => {
      const planner = createConePlanner(graph, { steps, kind });
      const plan = planner.plan({ sources, destinations, lossOnly: true });
      const { messages } = planSize(plan);
      planner.dispose();
      return { dense: plan.dense, share: messages / ((steps - 1) * 3 * count * sources.length) };
    };
    expect(planOf(200)).toEqual({ dense: true, share: 1 });
    const short = planOf(8);
    expect(short.dense).toBe(false);
    expect(short.share).toBeLessThan(0.3);
  });
});
