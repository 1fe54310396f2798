import { planAhead } from '@flowgrad/graph';
import type { Plan, PlanBatch, Planner } from '@flowgrad/graph';

/** The plans of a run's batches, made ahead within an epoch. */
export interface EpochPlans {
  /** The plan of a step, which lives until the next one is asked for. Steps are best asked for in turn. */
  at(this: void, epoch: number, step: number): Plan;
  /** Frees what was made. */
  dispose(this: void): void;
}

/** `batchesFrom` gives the batches of an epoch from one of its steps on. */
export function createEpochPlans(
  planner: Planner,
  batchesFrom: (epoch: number, step: number) => Iterable<PlanBatch>,
): EpochPlans {
  let coming: { readonly epoch: number; step: number; readonly plans: Generator<Plan, void> } | undefined;
  const dispose = (): void => {
    coming?.plans.return();
    coming = undefined;
  };
  return {
    at: (epoch, step) => {
      // A step that failed is asked for again, and a run goes on from a checkpoint.
      if (coming?.epoch !== epoch || coming.step !== step) {
        dispose();
        coming = { epoch, step, plans: planAhead(planner, batchesFrom(epoch, step)) };
      }
      coming.step += 1;
      const { value } = coming.plans.next();
      if (!value) throw new RangeError(`plans: expected a step of epoch ${epoch}, got ${step}`);
      return value;
    },
    dispose,
  };
}
