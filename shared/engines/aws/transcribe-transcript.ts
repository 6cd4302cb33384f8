/** Parses transcripts of Amazon Transcribe. */
import * as z from 'zod';
import { maxTranscriptWords } from '../../contracts/cut-clips.ts';
import { languageIn } from '../language-code.ts';
import type { SpokenWord, Transcript } from '../transcript.ts';

const maxTextLength = 1000;

/** In Amazon Transcribe's format, times are numbers in text form, and punctuation has no times. */
const time = z.string().regex(/^\d{1,6}(?:\.\d{1,6})?$/);

const Item = z.object({
  type: z.enum(['pronunciation', 'punctuation']),
  start_time: time.optional(),
  end_time: time.optional(),
  alternatives: z
    .array(z.object({ content: z.string().max(maxTextLength) }))
    .min(1)
    .max(10),
});

const Document = z.object({
  results: z.object({ language_code: z.string().optional(), items: z.array(z.unknown()).max(maxTranscriptWords) }),
});

/** Parses a transcript; undefined if the document does not have the documented form. */
export function transcribeTranscript(document: unknown): Transcript | undefined {
  const results = Document.safeParse(document).data?.results;
  if (!results) return undefined;
  const words: SpokenWord[] = [];
  for (const one of results.items) {
    const { data } = Item.safeParse(one);
    // Parsing ends here, because describing every faulty item would take long.
    if (!data) return undefined;
    const { type, start_time: start, end_time: end, alternatives } = data;
    const text = alternatives[0]?.content ?? '';
    const last = words.at(-1);
    if (type === 'punctuation' && last)
      words[words.length - 1] = { ...last, text: `${last.text}${text}`.slice(0, maxTextLength) };
    if (type === 'pronunciation' && start !== undefined && end !== undefined) {
      words.push({ text, startSec: Number(start), endSec: Number(end) });
    }
  }
  return { ...languageIn(results.language_code), words };
}
