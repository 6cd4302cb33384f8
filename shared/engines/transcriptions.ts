/** The engines that transcribe: their job for a video in the service's own storage, and how their transcripts are read. */
import { scribeTranscript } from './elevenlabs/scribe-transcript.ts';
import type { EngineJob } from './engine.ts';
import type { EngineName } from './engine-names.ts';
import { scribeAtFal } from './fal/fal-scribe.ts';
import type { Transcript } from './transcript.ts';

export interface TranscriptionSource {
  /** Readable by anybody who has it, for as long as the job may take. */
  readonly url: string;
}

interface Transcription {
  readonly job: (source: TranscriptionSource) => Pick<EngineJob, 'model' | 'input'>;
  /** From the parsed JSON of the job's only output. Undefined if it does not have the documented form. */
  readonly read: (document: unknown) => Transcript | undefined;
}

export const transcriptions = {
  fal: { job: ({ url }) => scribeAtFal(url), read: scribeTranscript },
} as const satisfies { readonly [Name in EngineName]?: Transcription };
