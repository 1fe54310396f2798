import { serve } from '../protocol/channel.ts';
import type { Port } from '../protocol/channel.ts';
import type { TrainingCalls, TrainingNews } from '../protocol/training-protocol.ts';
import { openDevice } from './open-device.ts';
import { trainingAnswers } from './training-answers.ts';

serve<TrainingCalls, TrainingNews>(globalThis as unknown as Port, (tell) =>
  trainingAnswers(openDevice, tell),
);
