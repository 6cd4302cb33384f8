/** The fake's audio models, with their documented fields and limits. */
import * as z from 'zod';
import { readContainer } from '../../shared/media-files/read-container.ts';
import type { FalEndpoint } from './fal-endpoint.ts';
import { FalFault } from './fal-faults.ts';

const share = z.number().min(0).max(1);

const speech = z
  .looseObject({
    voice: z.string().min(1),
    stability: share,
    similarity_boost: share,
    style: share,
    speed: z.number().min(0.7).max(1.2),
    timestamps: z.boolean(),
    language_code: z.string(),
  })
  .partial()
  .extend({ text: z.string().min(1).max(10_000) });

const charactersPerSecond = 15;

const voiceChange = z
  .looseObject({
    voice: z.string().min(1),
    remove_background_noise: z.boolean(),
    output_format: z.string().regex(/^(?:mp3|pcm|wav|opus|ulaw|alaw)_\d+(?:_\d+)?$/),
    seed: z.int(),
  })
  .partial()
  .extend({ audio_url: z.url({ protocol: /^https?$/ }) });

const longestSeconds = 300;

/** The result is as long as the recording. */
const recordedSeconds: NonNullable<FalEndpoint['soundOf']> = async ({ audio_url: url }, signal) => {
  const response = await fetch(String(url), { signal }).catch(() => undefined);
  if (!response?.ok || !response.body) throw new FalFault('file_download_error');
  const body = response.body;
  const found = await readContainer({ access: 'stream', body, close: () => undefined }).catch(() => undefined);
  if (!found?.hasAudio) throw new FalFault('unsupported_audio_format');
  if (found.durationSec > longestSeconds) throw new FalFault('audio_duration_too_long');
  return found.durationSec;
};

export const falAudioEndpoints: Readonly<Record<string, FalEndpoint>> = {
  'fal-ai/elevenlabs/tts/multilingual-v2': {
    kind: 'speech',
    input: speech,
    output: 'audio',
    extras: {},
    soundOf: ({ text }) => String(text).length / charactersPerSecond,
  },
  'fal-ai/elevenlabs/voice-changer': {
    kind: 'voice-change',
    input: voiceChange,
    output: 'audio',
    extras: { seed: 42 },
    soundOf: recordedSeconds,
  },
};
