/** The engines that transcribe: their job for a video in the service's own storage, and how their transcripts are read. */
import { transcribeTranscript } from './aws/transcribe-transcript.ts';
import { transcribeAtAws } from './aws/transcription-jobs.ts';
import { scribeAtElevenLabs } from './elevenlabs/elevenlabs-scribe.ts';
import { scribeTranscript } from './elevenlabs/scribe-transcript.ts';
import type { EngineJob } from './engine.ts';
import { scribeAtFal } from './fal/fal-scribe.ts';
import type { Transcript } from './transcript.ts';

interface Transcription {
  readonly job: (source: never) => Pick<EngineJob, 'model' | 'input'>;
  /** From the parsed JSON of the job's only output. Undefined if it does not have the documented form. */
  readonly read: (document: unknown) => Transcript | undefined;
}

interface Linked {
  /** Readable by anybody who has it, for as long as the job may take. */
  readonly url: string;
}

interface Stored {
  /** In the bucket of inputs. */
  readonly key: string;
}

export const transcriptions = {
  /** The transcript is stored beside the video. If nothing is said, the job is done without one. */
  aws: {
    job: ({ key }: Stored) => transcribeAtAws({ sourceKey: key, outputKey: key.replace(/[^/]*$/, 'transcribed.json') }),
    read: transcribeTranscript,
  },
  elevenlabs: { job: ({ url }: Linked) => scribeAtElevenLabs(url), read: scribeTranscript },
  fal: { job: ({ url }: Linked) => scribeAtFal(url), read: scribeTranscript },
} as const satisfies Readonly<Record<string, Transcription>>;
