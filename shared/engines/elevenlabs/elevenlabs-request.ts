/** Builds requests to ElevenLabs: text as JSON, recordings or their URLs as forms. */
import * as z from 'zod';
import { inputLimits } from '../../contracts/media.ts';
import { collectBytes } from '../../platform/limit-bytes.ts';
import type { EngineJob } from '../engine.ts';
import { openStoredFile } from '../stored-file.ts';
import { TranscriptionInput, transcriptionForm } from './elevenlabs-scribe.ts';

const outputFormat = 'mp3_44100_128';

const Voice = {
  /** The allowed characters are restricted, because the voice id becomes part of the URL. */
  voiceId: z.string().regex(/^[A-Za-z0-9]{8,64}$/),
  /** Whether the service chose the voice id, for a voice that the client named. */
  isOwnVoice: z.boolean(),
  voice_settings: z.object({ stability: z.number(), similarity_boost: z.number() }),
};

const Speech = z.object({ ...Voice, text: z.string() });
const Conversion = z.object({ ...Voice, audioUrl: z.url(), remove_background_noise: z.boolean() });
const Input = z.union([Speech, Conversion, TranscriptionInput]);

export interface ElevenLabsRequest {
  /** The path below the base URL. */
  readonly path: string;
  readonly body: string | FormData;
  readonly isOwnVoice: boolean;
  /** Whether the response contains the audio; transcripts must be requested later. */
  readonly result: 'sound' | 'transcript';
}

async function formOf(
  { audioUrl, voice_settings: settings, remove_background_noise: removesNoise }: z.output<typeof Conversion>,
  model: string,
  timeLimitMs: number,
): Promise<FormData> {
  const bytes = await collectBytes(await openStoredFile(audioUrl, timeLimitMs), inputLimits.audio.maxBytes);
  const form = new FormData();
  form.append('audio', new Blob([new Uint8Array(bytes)]), new URL(audioUrl).pathname.split('/').at(-1) ?? 'audio');
  form.append('model_id', model);
  form.append('voice_settings', JSON.stringify(settings));
  form.append('remove_background_noise', String(removesNoise));
  return form;
}

/** Builds a request; undefined if the voice id is malformed. @throws {Error} if the recording cannot be read */
export async function elevenLabsRequest(
  { model, input }: Pick<EngineJob, 'model' | 'input'>,
  timeLimitMs: number,
): Promise<ElevenLabsRequest | undefined> {
  if (!model) throw new Error('the job names no model of ElevenLabs');
  const parsed = Input.safeParse(input).data;
  if (!parsed) return undefined;
  if ('sourceUrl' in parsed) {
    return { path: 'v1/speech-to-text', body: transcriptionForm(parsed), isOwnVoice: false, result: 'transcript' };
  }
  const { voiceId, isOwnVoice } = parsed;
  const path = (endpoint: string) => `v1/${endpoint}/${voiceId}?output_format=${outputFormat}`;
  if ('audioUrl' in parsed) {
    const body = await formOf(parsed, model, timeLimitMs);
    return { path: path('speech-to-speech'), body, isOwnVoice, result: 'sound' };
  }
  const { text, voice_settings } = parsed;
  const body = JSON.stringify({ text, model_id: model, voice_settings });
  return { path: path('text-to-speech'), body, isOwnVoice, result: 'sound' };
}
