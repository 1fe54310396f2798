/** Plans that come back, as those of evaluation do after every epoch: kept where they are small, and made anew where not. */
import { memory, rejectUnknownOptions, scope } from '@flowgrad/tensor';
import type { Scope } from '@flowgrad/tensor';
import type { Plan, PlanBatch, Planner } from './plan.ts';

/** Plans of one planner, with what their indices have on the device. */
export interface KeptPlans {
  /** Bytes that are kept now on the device; lists on the host take about as many. */
  readonly bytes: number;
  /** What `fn` makes of the plan for a batch: the one of the last time, if it was kept. What else it makes is freed. */
  within<T>(this: void, batch: PlanBatch, fn: (plan: Plan) => T): T;
  /** Gives all of them back. */
  dispose(this: void): void;
}

/** How much is kept. */
export interface KeepPlansOptions {
  /** Bytes that plans may take together on the device, 2²⁸ unless given. */
  readonly bytes?: number;
}

interface KeptPlan {
  readonly plan: Plan;
  readonly owner: Scope;
  readonly bytes: number;
}

/**
 * Keeps the plans of a planner as long as all of them together fit. The plans that came first are kept: where batches come back in turn,
 * dropping the oldest for the newest would drop each just before it is asked for.
 */
export function keepPlans(planner: Planner, options: KeepPlansOptions = {}): KeptPlans {
  rejectUnknownOptions('keepPlans', options, ['bytes']);
  const { bytes: most = 2 ** 28 } = options;
  const kept = new Map<string, KeptPlan>();
  const bytes = (): number => [...kept.values()].reduce((total, each) => total + each.bytes, 0);

  const within: KeptPlans['within'] = (batch, fn) => {
    const name = nameOf(batch);
    const known = kept.get(name);
    if (known) return scope(() => fn(known.plan), 'in a kept plan');
    const before = memory().bytes;
    const owner = scope('a plan');
    try {
      const plan = planner.plan(batch);
      const result = owner.keep(scope(() => fn(plan), 'in a plan'));
      // Only now its indices have made what the model reads of them. What `fn` gives, far less than a plan, is counted too.
      const taken = memory().bytes - before;
      if (bytes() + taken <= most) {
        owner.detach();
        kept.set(name, { plan, owner, bytes: taken });
      }
      return result;
    } finally {
      if (kept.get(name)?.owner !== owner) owner.dispose();
    }
  };

  return {
    get bytes() {
      return bytes();
    },
    within,
    dispose: () => {
      for (const { owner } of kept.values()) owner.dispose();
      kept.clear();
    },
  };
}

function nameOf({ sources, destinations, queries, hidden, lossOnly = false }: PlanBatch): string {
  const lists = [sources, destinations, queries].map((list) => (list ? Array.from(list) : null));
  return JSON.stringify([...lists, hidden, lossOnly]);
}
