/** The ability to speak: a text becomes an MP3, in its own language and by one of the voices. */
import { join } from 'node:path';
import * as z from 'zod';
import { ability } from './ability.ts';
import { espeak } from './espeak.ts';
import { audioSeconds, writeMp3 } from './mp3.ts';
import { hashedPersona, namedPersona, type Persona, voiceNames } from './persona.ts';
import { personaVariant } from './persona-variant.ts';
import { silence } from './silence.ts';
import { hasWords, speakableText } from './speakable-text.ts';
import type { SpokenLanguage } from './spoken-language.ts';

const longestText = 2000;
const secondsOfSilence = 0.5;

const SpeechInput = z
  .object({
    text: z.string().refine((text) => text !== '' && Array.from(text).length <= longestText, {
      error: `text must be 1 to ${longestText} characters long`,
    }),
    voice: z
      .string()
      .transform((voice) => voice.toLowerCase())
      .pipe(z.enum(voiceNames as [(typeof voiceNames)[number], ...typeof voiceNames]))
      .optional(),
    voiceId: z.string().min(1).optional(),
    stability: z.number().min(0).max(1),
    similarityBoost: z.number().min(0).max(1),
  })
  .transform(({ voice, voiceId, ...rest }, context) => {
    if (voiceId !== undefined) return { ...rest, persona: hashedPersona(voiceId) };
    if (voice !== undefined) return { ...rest, persona: namedPersona(voice) };
    context.addIssue('voice or voiceId is required');
    return z.NEVER;
  });

const languageTags: Readonly<Record<SpokenLanguage, string>> = { pt: 'por', en: 'eng', es: 'spa' };

const espeakLanguage = (language: SpokenLanguage, persona: Persona): string => {
  if (language === 'en') return persona.english;
  return language === 'pt' ? 'pt-br' : 'es-419';
};

export const speech = ability(SpeechInput, async ({ text, persona, ...expression }, context) => {
  const { filesDir, fileStem, signal, progress } = context;
  const words = speakableText(text);
  // The language profiles take a tenth of a second to load: the first sentence pays for them, not every start.
  const { spokenLanguage } = await import('./spoken-language.ts');
  const language = spokenLanguage(words);
  progress(10);
  const order = { language: espeakLanguage(language, persona), text: words, ...personaVariant(persona, expression) };
  const wav = hasWords(words) ? await espeak(order, signal) : silence(secondsOfSilence);
  progress(60);
  const fileName = `${fileStem}.mp3`;
  const path = join(filesDir, fileName);
  const tag = {
    title: `${persona.name}, a sandbox voice`,
    artist: 'Offline engine',
    language: languageTags[language],
    comment: 'Made by the offline engine (sandbox voice).',
  };
  await writeMp3(path, wav, tag, signal);
  progress(85);
  return [{ fileName, contentType: 'audio/mpeg', durationSec: await audioSeconds(path, signal) }];
});
