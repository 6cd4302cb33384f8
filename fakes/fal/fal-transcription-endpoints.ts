/** The fake's transcription models, with their documented fields; they detect when something is said. */
import * as z from 'zod';
import { scribe } from '../scribe.ts';
import type { FalEndpoint } from './fal-endpoint.ts';
import { FalFault } from './fal-faults.ts';

const transcription = z
  .looseObject({
    diarize: z.boolean(),
    tag_audio_events: z.boolean(),
    language_code: z.string(),
    keyterms: z.array(z.string().max(50)).max(100),
  })
  .partial()
  .extend({ audio_url: z.url({ protocol: /^https?$/ }) });

const transcript: NonNullable<FalEndpoint['documentOf']> = async ({ audio_url: url }, options) => {
  const response = await scribe(String(url), options);
  if (response === 'not-downloaded') throw new FalFault('file_download_error');
  if (response === 'no-sound') throw new FalFault('unsupported_audio_format');
  return response;
};

export const falTranscriptionEndpoints: Readonly<Record<string, FalEndpoint>> = {
  'fal-ai/elevenlabs/speech-to-text/scribe-v2': {
    kind: 'transcription',
    input: transcription,
    output: 'none',
    extras: {},
    documentOf: transcript,
  },
};
