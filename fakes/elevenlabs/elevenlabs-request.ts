/** Validates requests by their documented fields and limits. */

import * as z from 'zod';
import { readContainer } from '../../shared/media-files/read-container.ts';
import { type ElevenLabsReply, faultReply, formFault } from './elevenlabs-faults.ts';

const share = z.number().min(0).max(1);
const VoiceSettings = z.looseObject({ stability: share, similarity_boost: share, style: share }).partial();

const Speech = z.looseObject({
  text: z.string().min(1),
  model_id: z.enum(['eleven_multilingual_v2', 'eleven_flash_v2_5', 'eleven_flash_v2']).optional(),
  voice_settings: VoiceSettings.nullish(),
});

const mostCharacters = 10_000;
const charactersPerSecond = 15;

type Settings = z.output<typeof VoiceSettings>;

/** What a valid request asks for, and how long the audio is. */
export type SoundRequest = { readonly seconds: number; readonly settings: Settings } & (
  | { readonly kind: 'speech'; readonly text: string }
  | { readonly kind: 'conversion'; readonly recording: Buffer; readonly removesNoise: boolean }
);

/** A valid request, or the response that rejects it. */
export type Judged = SoundRequest | ElevenLabsReply;

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Validates a speech request; `eleven_multilingual_v2` accepts ten thousand characters. */
export const judgeSpeech = (body: Buffer): Judged => {
  const given = jsonIn(body.toString('utf8'));
  const { data, error } = Speech.safeParse(given);
  if (!data) return formFault(String(error.issues[0]?.path[0] ?? 'body'));
  if (data.text.length > mostCharacters) return faultReply('max_character_limit_exceeded');
  const { text, voice_settings: settings } = data;
  return { kind: 'speech', seconds: text.length / charactersPerSecond, settings: settings ?? {}, text };
};

const Conversion = z.object({
  audio: z.instanceof(Blob),
  model_id: z.enum(['eleven_multilingual_sts_v2', 'eleven_english_sts_v2']),
  voice_settings: z.string().transform(jsonIn).pipe(VoiceSettings).optional(),
  remove_background_noise: z.enum(['true', 'false']).optional(),
});

/** Validates a conversion, whose settings are JSON in a form field. */
export const judgeConversion = async (form: Buffer, contentType: string): Promise<Judged> => {
  const headers = { 'content-type': contentType };
  const fields = await new Response(new Uint8Array(form), { headers }).formData().catch(() => undefined);
  const { data, error } = Conversion.safeParse(Object.fromEntries(fields ?? []));
  if (!data) return formFault(String(error.issues[0]?.path[0] ?? 'body'));
  const recording = Buffer.from(await data.audio.arrayBuffer());
  const body = ReadableStream.from([recording]);
  const found = await readContainer({ access: 'stream', body, close: () => undefined }).catch(() => undefined);
  if (!found?.hasAudio) return faultReply('invalid_parameters');
  const { voice_settings: settings = {}, remove_background_noise: removing } = data;
  return { kind: 'conversion', seconds: found.durationSec, settings, recording, removesNoise: removing === 'true' };
};
