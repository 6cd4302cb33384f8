/** The generation operation that changes the voice of a recording. */

import * as z from 'zod';
import { defaultPrices } from '../catalog/prices.ts';
import { atLeastOneOf, boolean } from './fields.ts';
import { voiceFields, voiceNames } from './generate-audio.ts';
import { extensionCallback, generation } from './generation-contract.ts';
import { consentField } from './likeness-consent.ts';
import { timeLimitSeconds } from './limits.ts';
import { engineTypes, filmTypes, inputLimits, megabytes, recordingTypes, typeNames } from './media.ts';
import { audioUrl } from './url-fields.ts';

const { maxBytes, maxSeconds } = inputLimits.audio;
const { creditsPerUnit, unitSeconds } = defaultPrices.voiceChange;

const VoiceChangeRequest = () =>
  atLeastOneOf(
    z.object({
      audioUrl: audioUrl({ types: [...recordingTypes, ...filmTypes] }).describe(
        `The speech to convert: ${typeNames(recordingTypes)}, or a video (${typeNames(filmTypes)}) with sound, at most ${megabytes(maxBytes)} and ${maxSeconds} seconds; the type is detected from the content, not the file name. ${engineTypes}`,
      ),
      ...voiceFields(),
      removeNoise: boolean().default(false).describe('Whether to remove background noise.'),
      ...consentField(),
      ...extensionCallback(),
    }),
    voiceNames,
  ).meta({ id: 'VoiceChangeRequest' });

export const voiceChangeContracts = {
  changeVoice: generation({
    operationId: 'changeVoice',
    taskType: 'voice-change',
    edits: 'audioUrl',
    usesLikeness: 'always',
    scope: 'generate:audio',
    medium: 'audio',
    paidSeconds: { measured: 'durationSec' },
    timeLimitSeconds: timeLimitSeconds.audio,
    summary: 'Change the voice of a recording',
    description: `The result is an MP3 with the same words, timing and duration in another voice. The file is inspected when the task is created: a file that cannot be downloaded or read then, or that exceeds a limit, is rejected with 400 (not with 502 DOWNLOAD_FAILED, as in \`generateCortes\`); once it can be downloaded, the same request can be sent again. The duration is measured from the media itself and rounded to a tenth of a second; a file that declares another one is rejected with 400.`,
    price: `${creditsPerUnit} credits for every ${unitSeconds} seconds of \`audioUrl\`, or part thereof`,
    body: VoiceChangeRequest,
    example: { audioUrl: 'https://example.com/recording.mp3', voice: 'george', removeNoise: true },
    // The recording in the example lasts thirty seconds.
    exampleCost: 3 * creditsPerUnit,
  }),
} as const;
