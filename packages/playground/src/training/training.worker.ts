import { serve } from '../protocol/channel.ts';
import type { Port } from '../protocol/channel.ts';
import { trainingProtocol } from '../protocol/training-protocol.ts';
import type { TrainingNews } from '../protocol/training-protocol.ts';
import { openDevice } from './open-device.ts';
import { trainingAnswers } from './training-answers.ts';

const port = globalThis as unknown as Port;
serve(port, trainingProtocol, (tell: (news: TrainingNews) => void) => trainingAnswers(openDevice, tell));
