/** The job requests that the fake accepts, and the transcript that it writes. */
import * as z from 'zod';
import type { HeardWord } from '../spoken-words.ts';

const Name = z.string().regex(/^[0-9a-zA-Z._-]{1,200}$/);

/** Requires language identification, the only way to set the language that the fake supports. */
export const JobRequest = z.strictObject({
  TranscriptionJobName: Name,
  Media: z.strictObject({ MediaFileUri: z.string().regex(/^s3:\/\/[^/?]+\/[^?]+$/) }),
  MediaFormat: z.enum(['amr', 'flac', 'm4a', 'mp3', 'mp4', 'ogg', 'wav', 'webm']).optional(),
  OutputBucketName: z.string().min(3),
  OutputKey: z.string().regex(/^[a-zA-Z0-9-_.!*'()/&$@=;:+,? ]{1,1024}$/),
  IdentifyLanguage: z.literal(true),
});

export type JobRequest = z.output<typeof JobRequest>;

export const JobName = z.strictObject({ TranscriptionJobName: Name });

const confidence = '0.998';

/** The items of a word; punctuation is a separate item without times. */
const itemsOf = ({ text, start, end }: HeardWord): readonly object[] => {
  const content = text.replace(/\.$/, '');
  const spoken = {
    type: 'pronunciation',
    alternatives: [{ confidence, content }],
    start_time: start.toFixed(3),
    end_time: end.toFixed(3),
  };
  const period = { type: 'punctuation', alternatives: [{ confidence: '0.0', content: '.' }] };
  return content === text ? [spoken] : [spoken, period];
};

export const documentOf = (jobName: string, words: readonly HeardWord[]) => ({
  jobName,
  accountId: '000000000000',
  status: 'COMPLETED',
  results: {
    transcripts: [{ transcript: words.map(({ text }) => text).join(' ') }],
    language_code: 'pt-BR',
    language_identification: [{ score: '0.98', code: 'pt-BR' }],
    items: words.flatMap(itemsOf).map((item, id) => ({ id, ...item })),
    audio_segments: [],
  },
});
