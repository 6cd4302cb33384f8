/** The engines that transcribe: the job for a video in the service's own storage, and how the transcript is read. */
import { transcribeTranscript } from './aws/transcribe-transcript.ts';
import { maxBytesAtTranscribe, transcribeAtAws } from './aws/transcription-jobs.ts';
import { scribeAtElevenLabs } from './elevenlabs/elevenlabs-scribe.ts';
import { scribeTranscript } from './elevenlabs/scribe-transcript.ts';
import type { EngineJob } from './engine.ts';
import type { EngineName } from './engine-names.ts';
import { scribeAtFal } from './fal/fal-scribe.ts';
import type { Transcript } from './transcript.ts';

interface Recording {
  /** A URL that anyone can read for as long as the job may take. */
  readonly url: string;
  /** The key in the inputs bucket. */
  readonly key: string;
}

export interface Transcription {
  readonly engine: EngineName;
  /** Whether the engine reads recordings from the inputs bucket, so that it needs no URL. */
  readonly readsBucket?: true;
  /** The largest recording that is transcribed. */
  readonly maxBytes?: number;
  job(recording: Recording): Pick<EngineJob, 'model' | 'input'>;
  /** Parses the JSON of the job's only output; undefined if it does not have the documented form. */
  read(document: unknown): Transcript | undefined;
}

export const transcriptions = {
  /** The transcript is stored next to the video. Without speech, the job is done without a transcript. */
  aws: {
    engine: 'aws',
    readsBucket: true,
    maxBytes: maxBytesAtTranscribe,
    job: ({ key }: Pick<Recording, 'key'>) =>
      transcribeAtAws({ sourceKey: key, outputKey: key.replace(/[^/]*$/, 'transcribed.json') }),
    read: transcribeTranscript,
  },
  elevenlabs: {
    engine: 'elevenlabs',
    job: ({ url }: Pick<Recording, 'url'>) => scribeAtElevenLabs(url),
    read: scribeTranscript,
  },
  fal: { engine: 'fal', job: ({ url }: Pick<Recording, 'url'>) => scribeAtFal(url), read: scribeTranscript },
} as const satisfies Readonly<Record<string, Transcription>>;
