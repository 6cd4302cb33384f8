/** The fake's requests: their documented fields and limits. */

import * as z from 'zod';
import { readContainer } from '../../../../shared/platform/read-container.ts';
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

/** How long a valid request's sound is, or why it is rejected. */
export type Judged = { readonly seconds: number } | ElevenLabsReply;

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** `eleven_multilingual_v2` accepts ten thousand characters. */
export const judgeSpeech = (body: Buffer): Judged => {
  const given = jsonIn(body.toString('utf8'));
  const { data, error } = Speech.safeParse(given);
  if (!data) return formFault(String(error.issues[0]?.path[0] ?? 'body'));
  if (data.text.length > mostCharacters) return faultReply('max_character_limit_exceeded');
  return { seconds: data.text.length / charactersPerSecond };
};

const Conversion = z.object({
  audio: z.instanceof(Blob),
  model_id: z.enum(['eleven_multilingual_sts_v2', 'eleven_english_sts_v2']),
  voice_settings: z.string().transform(jsonIn).pipe(VoiceSettings).optional(),
  remove_background_noise: z.enum(['true', 'false']).optional(),
});

/** The settings are JSON in a field of the form. */
export const judgeConversion = async (body: Buffer, contentType: string): Promise<Judged> => {
  const headers = { 'content-type': contentType };
  const form = await new Response(new Uint8Array(body), { headers }).formData().catch(() => undefined);
  const { data, error } = Conversion.safeParse(Object.fromEntries(form ?? []));
  if (!data) return formFault(String(error.issues[0]?.path[0] ?? 'body'));
  const sound = ReadableStream.from([Buffer.from(await data.audio.arrayBuffer())]);
  const found = await readContainer({ access: 'stream', body: sound, close: () => undefined }).catch(() => undefined);
  return found?.hasAudio ? { seconds: found.durationSec } : faultReply('invalid_parameters');
};
