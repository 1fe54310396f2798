/** The world worker: apart from training, so that a step under way does not keep a source waiting. */
import { serve } from '../protocol/channel.ts';
import type { Port } from '../protocol/channel.ts';
import { worldProtocol } from '../protocol/world-protocol.ts';
import type { LayoutNews } from '../protocol/world-protocol.ts';
import { worldAnswers } from './world-answers.ts';

serve(globalThis as unknown as Port, worldProtocol, (tell: (news: LayoutNews) => void) => worldAnswers(tell));
