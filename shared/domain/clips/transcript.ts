/** The stored format of transcripts. */
import * as z from 'zod';
import { maxTranscriptWords } from '../../contracts/cut-clips.ts';
import { once } from '../../contracts/once.ts';
import type { Transcript } from '../../engines/transcript.ts';

export type { SpokenWord, Transcript } from '../../engines/transcript.ts';

export const StoredTranscript = once(
  (): z.ZodType<Transcript> =>
    z.object({
      language: z.exactOptional(z.string().regex(/^[a-z]{2,3}$/)),
      words: z
        .array(z.object({ text: z.string().max(1000), startSec: z.number().min(0), endSec: z.number().min(0) }))
        .max(maxTranscriptWords),
    }),
);
