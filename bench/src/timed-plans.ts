/** Plans of a training's batches, made ahead as in training, and what each of them took. */
import { planAhead, type Plan, type PlanBatch, type Planner } from '@flowgrad/graph';

export interface TimedPlan {
  readonly plan: Plan;
  /** Milliseconds that it took, whenever it was made. */
  readonly planning: number;
  /** Milliseconds that were spent on plans just now beyond its own: on those of steps to come; less than 0 where it was there. */
  readonly ahead: number;
}

export interface TimedPlans {
  /** The plan of a run, which lives until another is asked for. Runs are best asked for in turn. */
  at(this: void, run: number): TimedPlan;
  dispose(this: void): void;
}

export function createTimedPlans(planner: Planner, batchOf: (run: number) => PlanBatch): TimedPlans {
  const took = new WeakMap<Plan, number>();
  let spent = 0;
  const timed: Planner = {
    ...planner,
    plan: (batch) => {
      const start = performance.now();
      const plan = planner.plan(batch);
      const time = performance.now() - start;
      took.set(plan, time);
      spent += time;
      return plan;
    },
  };
  function* batchesFrom(run: number): Generator<PlanBatch> {
    for (let next = run; ; next++) yield batchOf(next);
  }
  let coming: { run: number; readonly plans: Generator<Plan, void> } | undefined;
  const dispose = (): void => {
    coming?.plans.return();
    coming = undefined;
  };
  return {
    at: (run) => {
      if (coming?.run !== run) {
        dispose();
        coming = { run, plans: planAhead(timed, batchesFrom(run)) };
      }
      coming.run += 1;
      const before = spent;
      const plan = coming.plans.next().value!;
      const planning = took.get(plan)!;
      return { plan, planning, ahead: spent - before - planning };
    },
    dispose,
  };
}
