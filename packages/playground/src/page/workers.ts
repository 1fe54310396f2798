/** Both workers, each behind its protocol. */
import { connect } from '../protocol/channel.ts';
import type { Ask } from '../protocol/channel.ts';
import type { TrainingCalls, TrainingNews } from '../protocol/training-protocol.ts';
import type { WorldCalls } from '../protocol/world-protocol.ts';

export interface Workers {
  readonly world: Ask<WorldCalls>;
  readonly training: Ask<TrainingCalls>;
}

export function startWorkers(
  onNews: (news: TrainingNews) => void,
  onFailure: (message: string) => void,
): Workers {
  const world = new Worker(new URL('../world/world.worker.ts', import.meta.url), { type: 'module' });
  const training = new Worker(new URL('../training/training.worker.ts', import.meta.url), { type: 'module' });
  for (const worker of [world, training]) {
    worker.addEventListener('error', ({ message }) => onFailure(message || 'A worker did not start.'));
  }
  return {
    world: connect<WorldCalls, never>(world, () => undefined),
    training: connect<TrainingCalls, TrainingNews>(training, onNews),
  };
}
