/** Both workers, each behind its protocol. */
import { connect } from '../protocol/channel.ts';
import type { Ask } from '../protocol/channel.ts';
import { newsSchema, trainingProtocol } from '../protocol/training-protocol.ts';
import type { TrainingNews } from '../protocol/training-protocol.ts';
import { layoutSchema, worldProtocol } from '../protocol/world-protocol.ts';
import type { LayoutNews } from '../protocol/world-protocol.ts';

export interface Workers {
  readonly world: Ask<typeof worldProtocol>;
  readonly training: Ask<typeof trainingProtocol>;
}

export function startWorkers(
  onNews: (news: TrainingNews) => void,
  onLayout: (news: LayoutNews) => void,
  onFailure: (message: string) => void,
): Workers {
  const world = new Worker(new URL('../world/world.worker.ts', import.meta.url), { type: 'module' });
  const training = new Worker(new URL('../training/training.worker.ts', import.meta.url), { type: 'module' });
  for (const worker of [world, training]) {
    worker.addEventListener('error', ({ message }) => onFailure(message || 'A worker did not start.'));
  }
  return {
    world: connect(world, worldProtocol, { schema: layoutSchema, onEvent: onLayout }),
    training: connect(training, trainingProtocol, { schema: newsSchema, onEvent: onNews }),
  };
}
