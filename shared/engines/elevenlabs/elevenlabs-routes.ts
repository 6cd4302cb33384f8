/**
 * Routes to ElevenLabs. The workflow step waits for the audio, so recordings that take longer to convert than a step
 * may take are left to routes with a queue.
 */
import { inputLimits } from '../../contracts/media.ts';
import type { RouteTable } from '../route.ts';

export const elevenLabsRoutes = {
  'elevenlabs/multilingual-v2': { voice: {} },
  'elevenlabs/multilingual-sts-v2': {
    'voice-change': { audioUrl: { types: inputLimits.audio.types, maxSeconds: 60 } },
  },
} as const satisfies RouteTable<'elevenlabs'>;
