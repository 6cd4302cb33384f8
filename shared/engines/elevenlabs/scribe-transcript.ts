/** Parses transcripts of ElevenLabs' Scribe, which fal.ai returns in the same format. */
import * as z from 'zod';
import { maxTranscriptWords } from '../../contracts/cut-clips.ts';
import { languageIn } from '../language-code.ts';
import type { SpokenWord, Transcript } from '../transcript.ts';

/** The limit of entries is twice that of words, because spaces are entries too. */
const maxEntries = 2 * maxTranscriptWords;
const maxWordLength = 1000;

/** A time in seconds, up to a day: longer than any transcribed recording. */
const time = z.number().min(0).max(86_400).nullish();

const Entry = z.object({
  text: z.string(),
  /** The type of the entry: `word`, `spacing` or `audio_event`. */
  type: z.string(),
  start: time,
  end: time,
});

const Scribe = z.object({ language_code: z.string().nullish(), words: z.array(z.unknown()).max(maxEntries) });

/** Parses a transcript; undefined if the document does not have the documented form. */
export function scribeTranscript(document: unknown): Transcript | undefined {
  const scribe = Scribe.safeParse(document).data;
  if (!scribe) return undefined;
  const words: SpokenWord[] = [];
  for (const one of scribe.words) {
    const { data } = Entry.safeParse(one);
    // Parsing ends here, because describing every faulty entry would take long.
    if (!data) return undefined;
    const { text, type, start, end } = data;
    if (type === 'word' && start != null && end != null && text.length <= maxWordLength)
      words.push({ text, startSec: start, endSec: end });
  }
  return words.length > maxTranscriptWords ? undefined : { ...languageIn(scribe.language_code), words };
}
