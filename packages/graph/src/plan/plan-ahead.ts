/**
 * Plans of batches that come one after the other. A step drives the planner's code and tables out of a processor's caches,
 * which short steps feel: several plans made in a row take less time than as many with steps between them.
 */
import { scope } from '@flowgrad/tensor';
import type { Scope } from '@flowgrad/tensor';
import { planSize } from './plan.ts';
import type { Plan, PlanBatch, Planner } from './plan.ts';

/** At most `plans` plans are made in a row, and no more once they have `size` rows and messages together: long steps gain nothing. */
const most = { plans: 16, size: 2 ** 18 };

/**
 * The plan of each batch in turn. A plan is freed when the next one is asked for, or when nothing more is.
 *
 * @example
 * const graph = createGraph({ nodeCount: 3, senders: [0, 1, 2], receivers: [1, 2, 0] });
 * const kind = { flow: true, reads: 'sender', acts: true, global: false } as const;
 * const planner = createConePlanner(graph, { steps: 2, kind });
 * const batches = [{ sources: [0] }, { sources: [1, 2] }];
 * Array.from(planAhead(planner, batches), (plan) => plan.examples); // [1, 2]
 */
export function* planAhead(planner: Planner, batches: Iterable<PlanBatch>): Generator<Plan, void, undefined> {
  const coming = batches[Symbol.iterator]();
  const made: { readonly plan: Plan; readonly owner: Scope }[] = [];
  const planSome = (): void => {
    for (let size = 0; made.length < most.plans && size < most.size;) {
      const next = coming.next();
      if (next.done) return;
      const owner = scope('a plan ahead');
      try {
        const plan = planner.plan(next.value);
        owner.detach();
        made.push({ plan, owner });
        const { rows, messages } = planSize(plan);
        size += rows + messages;
      } catch (error) {
        owner.dispose();
        throw error;
      }
    }
  };
  try {
    for (;;) {
      if (made.length === 0) planSome();
      if (made.length === 0) return;
      yield made[0].plan;
      made.shift()!.owner.dispose();
    }
  } finally {
    for (const { owner } of made) owner.dispose();
    coming.return?.();
  }
}
