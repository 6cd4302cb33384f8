/** Generation operations that result in audio. */

import * as z from 'zod';
import { defaultPrices as prices } from '../catalog/prices.ts';
import { voiceSlugs } from '../catalog/voices.ts';
import { atLeastOneOf, numberBetween, oneOfInAnyCase, text } from './fields.ts';
import { callbackUrl, generation } from './generation-contract.ts';
import { timeLimitSeconds } from './limits.ts';

/** The fields that choose a voice; a request must have at least one of {@link voiceNames}. */
export const voiceFields = () => ({
  voice: oneOfInAnyCase(voiceSlugs)
    .optional()
    .describe(
      `A voice by name, in upper or lower case: ${voiceSlugs.join(', ')}. \`voice\` or \`voiceId\` is required.`,
    ),
  voiceId: text(1)
    .optional()
    .describe(
      "A voice by the engine's own id. `voice` or `voiceId` is required. If both are given, `voiceId` takes precedence, and `voice` must still be a valid name.",
    ),
  stability: numberBetween(0, 1).default(0.5).describe('Low values sound more expressive, high values more even.'),
  similarityBoost: numberBetween(0, 1).default(0.75).describe('How closely to match the original voice.'),
});

export type { VoiceIds } from '../catalog/voices.ts';

export const voiceNames = ['voice', 'voiceId'] as const;

const VoiceRequest = () =>
  atLeastOneOf(
    z.object({
      text: text(1, 2000).describe('The text to speak, in Portuguese, English or Spanish.'),
      ...voiceFields(),
      callbackUrl: callbackUrl(),
    }),
    voiceNames,
  ).meta({ id: 'VoiceRequest' });

export const audioContracts = {
  generateVoice: generation({
    operationId: 'generateVoice',
    taskType: 'voice',
    scope: 'generate:audio',
    medium: 'audio',
    paidSeconds: null,
    timeLimitSeconds: timeLimitSeconds.audio,
    summary: 'Convert text to speech',
    description: 'The result is an MP3. Characters are counted as Unicode code points.',
    price: `1 credit per ${prices.voice.charactersPerCredit} characters, rounded up`,
    body: VoiceRequest,
    example: { text: 'Olá! Seu vídeo está pronto.', voice: 'sarah', callbackUrl: 'https://example.com/webhooks' },
    exampleCost: 1,
  }),
} as const;
