/** The engines that transcribe: their job for a video in the service's own storage, and how their transcripts are read. */
import { transcribeTranscript } from './aws/transcribe-transcript.ts';
import { maxBytesAtTranscribe, transcribeAtAws } from './aws/transcription-jobs.ts';
import { scribeAtElevenLabs } from './elevenlabs/elevenlabs-scribe.ts';
import { scribeTranscript } from './elevenlabs/scribe-transcript.ts';
import type { EngineJob } from './engine.ts';
import type { EngineName } from './engine-names.ts';
import { scribeAtFal } from './fal/fal-scribe.ts';
import type { Transcript } from './transcript.ts';

interface Recording {
  /** Readable by anybody who has it, for as long as the job may take. */
  readonly url: string;
  /** In the bucket of inputs. */
  readonly key: string;
}

export interface Transcription {
  readonly engine: EngineName;
  /** Whether it reads recordings in the bucket of inputs, and needs no URL of them. */
  readonly readsBucket?: true;
  /** A larger recording is not transcribed. */
  readonly maxBytes?: number;
  job(recording: Recording): Pick<EngineJob, 'model' | 'input'>;
  /** From the parsed JSON of the job's only output. Undefined if it does not have the documented form. */
  read(document: unknown): Transcript | undefined;
}

export const transcriptions = {
  /** The transcript is stored beside the video. If nothing is said, the job is done without one. */
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
