/** The world worker: apart from training, so that a step under way does not keep a source waiting. */
import { serve } from '../protocol/channel.ts';
import type { Port } from '../protocol/channel.ts';
import type { WorldCalls } from '../protocol/world-protocol.ts';
import { worldAnswers } from './world-answers.ts';

serve<WorldCalls, never>(globalThis as unknown as Port, () => worldAnswers());
