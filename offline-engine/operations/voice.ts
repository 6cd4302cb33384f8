/** `voice`: converts a text to speech in the text's language, with one of the voices. */
import { join } from 'node:path';
import * as z from 'zod';
import { operation } from '../operation.ts';
import { espeak } from '../speech/espeak.ts';
import { writeMp3 } from '../speech/mp3.ts';
import type { Persona } from '../speech/persona.ts';
import { personaVariant } from '../speech/persona-variant.ts';
import { hasWords, speakableText } from '../speech/speakable-text.ts';
import { type SpokenLanguage, spokenLanguage } from '../speech/spoken-language.ts';
import { VoiceFields, withPersona } from '../speech/voice-fields.ts';

const longestText = 2000;

/** The duration of a text without words. */
const shortestSeconds = 0.5;

const Input = z
  .object({
    text: z.string().refine((text) => text !== '' && Array.from(text).length <= longestText, {
      error: `text must be 1 to ${longestText} characters long`,
    }),
    ...VoiceFields,
  })
  .transform(withPersona);

/** The duration of a WAV file of mono samples with 16 bits. */
const wavSeconds = (wav: Buffer): number => (wav.length - 44) / 2 / wav.readUInt32LE(24);

const languageTags: Readonly<Record<SpokenLanguage, string>> = { pt: 'por', en: 'eng', es: 'spa' };

const espeakLanguage = (language: SpokenLanguage, persona: Persona): string => {
  if (language === 'en') return persona.english;
  return language === 'pt' ? 'pt-br' : 'es-419';
};

export const voice = operation(Input, async ({ text, persona, ...expression }, context) => {
  const { filesDir, fileStem, progress } = context;
  const words = speakableText(text);
  const language = await spokenLanguage(words);
  progress(10);
  const order = { language: espeakLanguage(language, persona), text: words, ...personaVariant(persona, expression) };
  const wav = hasWords(words) ? await espeak(order) : undefined;
  progress(60);
  const fileName = `${fileStem}.mp3`;
  const path = join(filesDir, fileName);
  const tag = {
    title: `${persona.name}, a sandbox voice`,
    language: languageTags[language],
    comment: 'Made by the offline engine (sandbox voice).',
  };
  const source = wav ? { format: 'wav', bytes: wav } : { format: 's16le -ar 22050 -ac 1', bytes: Buffer.alloc(2) };
  await writeMp3(path, source, { tag, minSeconds: shortestSeconds });
  return [
    {
      fileName,
      contentType: 'audio/mpeg',
      durationSec: Math.round(Math.max(shortestSeconds, wav ? wavSeconds(wav) : 0) * 10) / 10,
    },
  ];
});
