/** Validates requests by their documented fields and limits. */

import * as z from 'zod';
import { countCodePoints } from '../../shared/contracts/code-points.ts';
import { readContainer } from '../../shared/media-files/read-container.ts';
import { jsonIn } from '../../shared/platform/json-in.ts';
import type { Reply } from '../api-server.ts';
import { faultReply, formFault } from './elevenlabs-faults.ts';

const share = z.number().min(0).max(1);
const VoiceSettings = z.looseObject({ stability: share, similarity_boost: share, style: share }).partial();

const Speech = z.looseObject({
  text: z.string().min(1),
  model_id: z.enum(['eleven_multilingual_v2', 'eleven_flash_v2_5', 'eleven_flash_v2']).optional(),
  voice_settings: VoiceSettings.nullish(),
});

const maxCharacters = 10_000;
const charactersPerSecond = 15;
/** How many characters a minute of a recording is charged as. */
const chargedPerMinute = 1000;

/** How long the requested audio is, and how many characters it is charged as, or the response that rejects the request. */
export type Judged = { readonly seconds: number; readonly characters: number } | Reply;

/** Validates a speech request; `eleven_multilingual_v2` accepts ten thousand characters. */
export const judgeSpeech = (body: Buffer): Judged => {
  const given = jsonIn(body.toString('utf8'));
  const { data, error } = Speech.safeParse(given);
  if (!data) return formFault(String(error.issues[0]?.path[0] ?? 'body'));
  if (data.text.length > maxCharacters) return faultReply('max_character_limit_exceeded');
  return { seconds: data.text.length / charactersPerSecond, characters: countCodePoints(data.text) };
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
  const body = data.audio.stream();
  const found = await readContainer({ access: 'stream', body, close: () => undefined }).catch(() => undefined);
  if (!found?.hasAudio) return faultReply('invalid_parameters');
  return { seconds: found.durationSec, characters: Math.ceil((found.durationSec * chargedPerMinute) / 60) };
};
